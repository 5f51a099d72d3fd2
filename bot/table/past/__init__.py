"""What a game has been: its positions and what its moves did, kept on the way, so that looking back is cheap."""

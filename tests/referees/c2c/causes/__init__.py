"""Why a request is refused, said a second time for 18C2C."""

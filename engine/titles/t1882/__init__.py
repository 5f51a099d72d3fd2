"""1882: Assiniboia."""

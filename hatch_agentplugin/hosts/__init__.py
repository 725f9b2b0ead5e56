"""What is known of coding agents: the model, its checks, the registry and the facts."""

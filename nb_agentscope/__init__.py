"""nb_agentscope: see, steer and measure LLM agents in a notebook."""

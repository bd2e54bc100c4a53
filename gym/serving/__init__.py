"""Episodes as MCP servers, so that any agent that speaks MCP can be run on tasks and scored.

Invariant: an agent is shown what it is offered in any other episode, and never its reward. Not covered: what an agent
thinks, its tokens and its cost, which a server does not see.
"""

from __future__ import annotations

from autoforge.gym.serving.episode_server import EpisodeServer, served_episode
from autoforge.gym.serving.hosting import EpisodeHost
from autoforge.gym.serving.next_play import NextPlay
from autoforge.gym.serving.stdio import serve_stdio
from autoforge.gym.serving.web import serve_http

__all__ = ["EpisodeHost", "EpisodeServer", "NextPlay", "serve_http", "serve_stdio", "served_episode"]

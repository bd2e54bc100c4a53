"""A part of `server.py`: streamable HTTP, one path per side and episode, and the control route.

    /mcp, /episodes/{id}/mcp              the agent's tools
    /user/mcp, /user/episodes/{id}/mcp    the user's tools on the same states, with --side user or all
    /episodes/{id}                        PUT, GET, DELETE of a state, with a control token only

A PUT with `Prefer: return=representation` is answered with the state that it made; `ETag` is the version of a state.

Invariant: no MCP endpoint can load, save or reset a state, and the control route answers nobody without the token. Host
and Origin headers are checked on every route (DNS rebinding). Not covered: TLS and accounts; put a proxy in front for
those.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import socket
from collections.abc import AsyncIterator, Sequence
from typing import Any

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from mcp.types import INVALID_PARAMS
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from autoforge.generator.emit.server_episodes import TooManyEpisodes, is_episode_name
from autoforge.generator.emit.server_images import BadState
from autoforge.generator.emit.server_protocol import Environment, Side, build_server

STATE_TYPE = "application/vnd.sqlite3"
REPRESENTATION = "return=representation"
"""RFC 7240: the answer to a PUT is to hold the state."""
STATE_LIMIT = 64 * 2**20
"""Largest body of a PUT, in bytes."""


class EpisodeEndpoint:
    """An MCP endpoint whose path may name the episode."""

    def __init__(self, endpoint: StreamableHTTPASGIApp) -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path_params"].get("episode")
        if name is not None and not is_episode_name(name):
            error = {"jsonrpc": "2.0", "id": None, "error": {"code": INVALID_PARAMS, "message": "Invalid episode name"}}
            await JSONResponse(error, 400)(scope, receive, send)
            return
        await self._endpoint(scope, receive, send)


class Control:
    """The route by which the owner of the episodes, never an agent, puts, gets and deletes their states."""

    def __init__(self, environment: Environment, token: str, security: TransportSecuritySettings) -> None:
        self._episodes = environment.episodes
        self._token = token.encode()
        self._security = TransportSecurityMiddleware(security)

    async def answer(self, request: Request) -> Response:
        """The response to one PUT, GET or DELETE."""
        refused = await self._security.validate_request(request)
        if refused is not None:
            return refused
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not hmac.compare_digest(token.strip().encode(), self._token):
            return _problem(401, "the control route needs its bearer token", {"WWW-Authenticate": "Bearer"})
        name = request.path_params["episode"]
        if not is_episode_name(name):
            return _problem(400, "invalid episode name")
        try:
            return await self._serve(request, name)
        except BadState as error:
            return _problem(400, str(error))
        except TooManyEpisodes as error:
            return _problem(503, str(error))

    async def _serve(self, request: Request, name: str) -> Response:
        if request.method == "DELETE":
            self._episodes.delete(name)
            return Response(status_code=204)
        if request.method == "PUT":
            body = await _body(request)
            if body is None:
                return _problem(413, f"the body is larger than {STATE_LIMIT:,} bytes")
            self._episodes.replace(name, _initial(body, request.headers.get("content-type", "")))
            if request.headers.get("prefer", "") != REPRESENTATION:
                return Response(status_code=204)
        image = self._episodes.image(name)
        return (
            _problem(404, f"the episode '{name}' has no state yet")
            if image is None
            else Response(image, media_type=STATE_TYPE, headers={"ETag": f'"{self._episodes.version(name)}"'})
        )


async def _body(request: Request) -> bytes | None:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > STATE_LIMIT:
            return None
    return bytes(body)


def _initial(body: bytes, content_type: str) -> list[str] | bytes:
    """The state that a PUT asks for. Raises `BadState`."""
    if content_type.partition(";")[0].strip().lower() == STATE_TYPE:
        return body
    if not body:
        return []
    try:
        initial = json.loads(body)["initial"]
    except (ValueError, KeyError, TypeError, RecursionError):
        initial = None
    if not isinstance(initial, list) or not all(isinstance(statement, str) for statement in initial):
        raise BadState(
            f'the body is to be empty, {{"initial": ["an SQL statement", …]}}, or a SQLite file of type {STATE_TYPE}'
        )
    return initial


def _problem(status: int, sentence: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": sentence}, status, headers)


def transport_security(host: str, allowed: Sequence[str]) -> TransportSecuritySettings:
    """Which Host and Origin headers are served: this machine's loopback names, the address bound to, and those allowed
    by the caller."""
    if "*" in allowed:
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    names = ["127.0.0.1", "localhost", "[::1]", *allowed]
    names.append(socket.gethostname() if host in ("0.0.0.0", "::", "") else f"[{host}]" if ":" in host else host)
    hosts = [form for name in dict.fromkeys(names) for form in (name, f"{name}:*")]
    origins = [f"{scheme}://{form}" for form in hosts for scheme in ("http", "https")]
    return TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins)


def http_app(environment: Environment, side: Side, security: TransportSecuritySettings, token: str | None) -> Starlette:
    """The ASGI application; its lifespan runs the sessions."""
    managers: list[StreamableHTTPSessionManager] = []
    routes: list[Route] = []
    prefixes: dict[Side, str] = {"agent": "", "user": "/user"}
    for one, prefix in prefixes.items():
        if side in ("all", one):
            manager = StreamableHTTPSessionManager(
                build_server(environment, one), json_response=True, security_settings=security
            )
            endpoint = EpisodeEndpoint(StreamableHTTPASGIApp(manager))
            managers.append(manager)
            routes += [Route(f"{prefix}/mcp", endpoint), Route(f"{prefix}/episodes/{{episode}}/mcp", endpoint)]
    if token is not None:
        routes.append(
            Route("/episodes/{episode}", Control(environment, token, security).answer, methods=["GET", "PUT", "DELETE"])
        )

    @contextlib.asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as stack:
            for manager in managers:
                await stack.enter_async_context(manager.run())
            yield

    return Starlette(routes=routes, lifespan=lifespan)

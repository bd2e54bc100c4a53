"""An OpenAI-compatible endpoint that plays a plain user: `python bench/drill_user.py PORT`.

It greets, thanks for each message, and ends the conversation after the fourth. Invariant: the same messages give the
same answer. Not covered: wanting anything; the agent of the drill knows its task.
"""

from __future__ import annotations

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECONDS = 0.25
"""How long it thinks."""
LAST = 4


class _User(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        spoken = sum(message["role"] == "assistant" for message in body["messages"])
        text = "Hello, I need some help." if spoken == 0 else "Thank you." if spoken < LAST else "Thanks. ###STOP###"
        time.sleep(SECONDS)
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        answer = {"id": "1", "object": "chat.completion", "created": 0, "model": body["model"], "choices": [choice]}
        data = json.dumps({**answer, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 256


if __name__ == "__main__":
    _Server(("127.0.0.1", int(sys.argv[1])), _User).serve_forever()

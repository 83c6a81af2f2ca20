"""Tools of all kinds; each says when it begins to run."""

import asyncio

from nb_agentscope.tools import tool


def reading(ran, nap):
    async def look(n: int) -> str:
        ran("look", n=n)
        return f"saw {n}"

    def peek(n: int) -> str:
        ran("peek", n=n)
        nap(1)
        return f"peeked at {n}"

    return [tool(look, read_only=True), tool(peek, read_only=True)]


def outside():
    def never(n: int) -> str:
        raise AssertionError(f"an external tool ran: {n}")

    return [
        tool(never, name="read_out", read_only=True, external=True),
        tool(never, name="ask_out", external=True),
    ]


def asking(ran, nap):
    async def wait(n: int) -> str:
        ran("wait", n=n)
        await asyncio.sleep(3)
        return f"waited for {n}"

    def press(n: int) -> dict[str, int]:
        ran("press", n=n)
        nap(2)
        return {"pressed": n}

    async def count(n: int):
        ran("count", n=n)
        for step in range(3):
            yield f"{step} "
            await asyncio.sleep(1)

    def rows(n: int):
        ran("rows", n=n)
        for step in range(3):
            yield f"row {step}\n"
            nap(1)

    return [
        tool(wait, concurrent=True),
        tool(press, concurrent=True),
        tool(count, concurrent=True),
        tool(rows, concurrent=True),
    ]


def odd(ran, nap):
    async def fail(n: int) -> str:
        ran("fail", n=n)
        await asyncio.sleep(1)
        raise OSError(f"no {n}")

    async def deaf(n: int) -> str:
        ran("deaf", n=n)
        try:
            await asyncio.sleep(2)
        except asyncio.CancelledError:
            await asyncio.sleep(2)
        return f"finished {n}"

    async def edit(n: int, path: str) -> str:
        ran("edit", n=n, path=path)
        return f"edited {path}"

    return [tool(fail, concurrent=True), tool(deaf), tool(edit, path="path", concurrent=True)]

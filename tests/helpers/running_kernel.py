"""A Jupyter kernel without a front end, and the output of its cells: as in VS Code, where outputs are plain HTML."""

from __future__ import annotations

from jupyter_client.manager import start_new_kernel


class Kernel:
    """A kernel, and the output of its cells."""

    def __init__(self):
        self.manager, self.client = start_new_kernel(kernel_name="python3")

    def run(self, code):
        """Return (the text that the cell prints, the HTML that it shows)."""
        printed, shown = [], []

        def hear(message):
            content = message["content"]
            assert message["msg_type"] != "error", "\n".join(content.get("traceback", ()))
            printed.append(content.get("text", ""))
            shown.append(content.get("data", {}).get("text/html", ""))

        self.client.execute_interactive(code, timeout=60, output_hook=hear)
        return "".join(printed).strip(), "".join(shown)

    def close(self):
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

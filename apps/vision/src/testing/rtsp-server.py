"""A real RTSP server (GStreamer's) that plays an .h264 or .h265 file in a loop: FILE FPS [USER PASSWORD].

Prints its port on a line of its own, and ends when its input is closed.
"""
import sys
import threading

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

Gst.init(None)
file, fps = sys.argv[1], int(sys.argv[2])
user, password = (sys.argv[3], sys.argv[4]) if len(sys.argv) > 4 else (None, None)
PORT = sys.argv[5] if len(sys.argv) > 5 else "0"
CODEC = "h265" if file.endswith(".h265") else "h264"


def describe(header):
    """Of a unit's header: whether it is a slice, and whether it can be the first unit of a picture."""
    # The first bit of a slice says that it begins at the first block of the picture.
    if CODEC == "h265":
        kind = header[0] >> 1 & 63
        is_slice = kind < 32
        return is_slice, kind in (32, 33, 34, 35, 39) or (is_slice and header[2] & 0x80)
    kind = header[0] & 31
    is_slice = kind in (1, 5)
    return is_slice, kind in (6, 7, 8, 9) or (is_slice and header[1] & 0x80)


def read_units(path):
    """Pictures of a byte stream: a new one begins before each parameter set or slice that begins a picture."""
    data = open(path, "rb").read()
    starts = []
    at = data.find(b"\x00\x00\x01")
    while at >= 0:
        starts.append(at - 1 if at > 0 and data[at - 1] == 0 else at)
        at = data.find(b"\x00\x00\x01", at + 3)
    starts.append(len(data))
    units, unit, has_slice = [], b"", False
    for begin, end in zip(starts, starts[1:]):
        nal = data[begin:end]
        is_slice, begins = describe(nal[nal.find(b"\x01") + 1 :])
        if has_slice and begins:
            units.append(unit)
            unit, has_slice = b"", False
        unit += nal
        has_slice = has_slice or is_slice
    units.append(unit)
    return units


UNITS = read_units(file)


class Factory(GstRtspServer.RTSPMediaFactory):
    def __init__(self):
        super().__init__()
        self.set_shared(True)
        self.set_launch(
            "( appsrc name=src is-live=true format=time"
            f" caps=video/x-{CODEC},stream-format=byte-stream,alignment=au,framerate={fps}/1"
            f" ! {CODEC}parse config-interval=-1 ! rtp{CODEC}pay name=pay0 pt=96 )"
        )

    def do_configure(self, media):
        source = media.get_element().get_by_name("src")
        state = {"at": 0}

        def push():
            buffer = Gst.Buffer.new_wrapped(UNITS[state["at"] % len(UNITS)])
            buffer.pts = buffer.dts = state["at"] * Gst.SECOND // fps
            buffer.duration = Gst.SECOND // fps
            state["at"] += 1
            return source.emit("push-buffer", buffer) == Gst.FlowReturn.OK

        GLib.timeout_add(1000 // fps, push)


server = GstRtspServer.RTSPServer()
server.set_address("127.0.0.1")
server.set_service(PORT)
factory = Factory()
if user:
    auth = GstRtspServer.RTSPAuth()
    token = GstRtspServer.RTSPToken()
    token.set_string("media.factory.role", "viewer")
    # As cameras ask for it.
    auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
    auth.add_digest(user, password, token)
    server.set_auth(auth)
    permissions = GstRtspServer.RTSPPermissions()
    permissions.add_permission_for_role("viewer", "media.factory.access", True)
    permissions.add_permission_for_role("viewer", "media.factory.construct", True)
    factory.set_permissions(permissions)
server.get_mount_points().add_factory("/live", factory)
server.attach(None)
print(server.get_bound_port(), flush=True)
loop = GLib.MainLoop()


def wait_for_end():
    sys.stdin.read()
    loop.quit()


threading.Thread(target=wait_for_end, daemon=True).start()
loop.run()

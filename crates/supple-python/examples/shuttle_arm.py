"""Ten lines: the Shuttle arm swings a payload of 15 t, and the swing is drawn."""

import matplotlib.pyplot as pyplot

import supple

result = supple.simulate("examples/shuttle-slew/plain.toml", set={"duration": 80.0})
axes = result.plot(["node.payload.far end.z"])
axes.set_title("Far end of the payload")
pyplot.savefig("target/shuttle-arm.png")
print(result, "swing:", result["node.payload.far end.z"][result.time > 62].max(), "m")

package arch

// A layer says which packages of this module the packages of a pattern may import. The longest pattern counts; a/...
// stands for a and all below it. Packages below a plug-in or a leaf are its own affair.
type layer struct {
	of  string
	may string // patterns, separated by blanks
}

const (
	leaves    = "rcc/value grammar/... geom/... motion/... ethercat/wire ethercat/sii ethercat/coe ethercat/image ethercat/cia402 ethercat/esi internal/rt internal/figures internal/triple internal/fields internal/suggest internal/guard internal/budget"
	contracts = "rcc/spec rcc/device/... " + leaves
	plugins   = "primitives/... devices/... ethercat/..."
)

// From the programs down to the leaves (architecture: layers). Rows without a folder keep a place for what is to come.
var layers = []layer{
	{"cmd/rccd", "internal/story robotics/... rcc/... directio/... configs internal/... " + contracts + " " + plugins},
	{"internal/story", "robotics/... directio/client geom/..."},
	{"cmd/rccctl", "directio/client ethercat/coe geom geom/calibrate grammar grammar/explain grammar/xmlnet internal/cli internal/content internal/doctor internal/rt internal/suggest rcc/config"},
	{"robotics", "robotics/mapping robotics/graph robotics/world directio/client geom/..."},
	{"robotics/actuator", "robotics robotics/mapping robotics/graph robotics/world directio/client geom/... motion/..."},
	{"robotics/motions", "robotics robotics/actuator robotics/mapping robotics/graph robotics/world geom/... motion/..."},
	{"robotics/activity", "robotics robotics/actuator robotics/motions robotics/world directio/client geom/... motion/..."},
	{"robotics/mapping", "robotics/graph robotics/world geom/..."},
	{"robotics/world", "geom"},
	{"robotics/graph", "geom/... internal/suggest"},
	{"robotics/internal/...", "motion/..."},
	{"examples/...", "examples/internal/program robotics/... directio/client geom/... tools/picture"},

	{"directio/...", "directio/... rcc rcc/preview rcc/scope rcc/value geom grammar/... web internal/guard"},
	{"directio/client", ""},

	{"rcc", "rcc/sched rcc/net rcc/rule rcc/extension rcc/number " + contracts},
	{"rcc/preview", "rcc " + contracts},
	{"rcc/config", contracts},
	{"rcc/extension", "rcc/net rcc/config " + contracts},
	{"configs", ""},
	{"web", ""},
	{"mcap", ""},

	{"rcc/sched", "rcc/net rcc/rule " + contracts},
	{"rcc/net", contracts},
	{"rcc/rule", contracts},
	{"rcc/number", "internal/guard"},
	{"rcc/scope", "mcap"},

	{"rcc/spec", "rcc/device rcc/value grammar internal/budget internal/fields internal/triple"},
	{"rcc/device/...", "rcc/device/... rcc/value geom/... motion/... internal/rt internal/fields internal/figures internal/suggest internal/guard"},

	{"rcc/device/ecat", "rcc/device ethercat/wire ethercat/sii ethercat/coe ethercat/image"},
	{"rcc/device/drives", "rcc/device/... ethercat/cia402 ethercat/coe ethercat/image ethercat/sii ethercat/wire geom/kinematics internal/rt internal/figures"},

	{"rcc/value", "geom geom/text"},
	{"grammar/...", "grammar/... internal/arena internal/suggest internal/xmlread"},
	{"geom/...", "geom/..."},
	{"geom/urdf", "geom/... internal/suggest"},
	{"motion/...", "motion/... geom/..."},
	{"ethercat/wire", ""},
	{"ethercat/sii", ""},
	{"ethercat/coe", ""},
	{"ethercat/cia402", ""},
	{"ethercat/esi", "ethercat/coe"},
	{"ethercat/image", "ethercat/wire"},
	{"internal/rt", ""},
	{"internal/figures", ""},
	{"internal/triple", ""},
	{"internal/realtime", "internal/doctor internal/rt"},
	{"internal/doctor", ""},
	{"internal/content", ""},
	{"internal/latency", "internal/rt"},
	{"internal/arena", ""},
	{"internal/fields", ""},
	{"internal/suggest", ""},
	{"internal/xmlread", ""},
	{"internal/guard", ""},
	{"internal/budget", ""},
	{"internal/cli", "internal/rt internal/suggest"},

	// Plug-ins: lists of all of them, and each by itself. Families of primitives share what is there for every data type.
	{"primitives", "primitives/... rcc/spec rcc/device"},
	{"devices", "devices/... rcc/device"},
	{"primitives/*", contracts + " primitives/generic"},
	{"primitives/generic", contracts},
	// Of devices that have primitives of their own.
	{"devices/*", contracts + " primitives/generic"},
	// Also for programs that are not the daemon.
	{"ethercat/...", "ethercat/... rcc/device/ecat internal/rt internal/figures internal/suggest internal/guard"},
	// The bus as a device: drivers see the contract only.
	{"devices/ethercat", "ethercat ethercat/link ethercat/sim " + contracts},
	{"ethercat/sim", "ethercat/wire ethercat/sii ethercat/coe ethercat/cia402 internal/suggest"},

	{"internal/arch", ""},
	{"tools/cyclecheck/...", "tools/cyclecheck internal/rt"},
	{"internal/testkit/...", "internal/testkit/... " + contracts},
	{"internal/testkit/race", ""},
	{"internal/testkit/browser", ""},
	{"internal/testkit/testdevice", "primitives/generic " + contracts},
	{"internal/testkit/cable", "ethercat/link ethercat/wire internal/rt"},
	{"internal/testkit/bus", "internal/testkit/cable ethercat ethercat/link ethercat/sim " + contracts},
	{"internal/testkit/cells", "robotics robotics/actuator robotics/motions directio directio/pages rcc primitives devices devices/simarm devices/simbase devices/simgripper devices/simio " + contracts},
	{"internal/oracle/refmodel", ""},
	{"tools/picture", ""},
	{"tools/plots", "motion/... geom/... tools/instep tools/picture"},
	{"tools/...", ""},
	{"tools/netpicture", "grammar"},
	{"tools/instep", "rcc rcc/sched primitives devices/... " + contracts},
}

// A reserve is something that only some packages may use, and why.
type reserve struct {
	what string // import path, with /... for all below it
	only string
	why  string
}

var reserves = []reserve{
	{"C", "", "no cgo in the daemon"},
	{"unsafe", "internal/rt", "what the compiler cannot check stays in one place"},
	{"syscall", "internal/rt cmd/rccd cmd/rccctl", "system calls in one place; programs need the names of their signals"},
	{"golang.org/x/sys/...", "internal/rt", "system calls in one place"},
	{"go.uber.org/zap/...", "rcc directio/... cmd/rccd", "errors are returned or logged, never both"},
	{"github.com/gorilla/websocket", "directio/...", "connections are the business of directio"},
	{"github.com/antlr4-go/antlr/...", "grammar/...", "generated parsers explain and judge, behind grammar"},
	{"go.yaml.in/yaml/...", "rcc/config ethercat/sim", "one reader of configurations, and one of simulated racks, which work without the daemon"},
	{"golang.org/x/arch/...", "tools/cyclecheck", "machine code is read by the checker of the cycle"},
	{"golang.org/x/tools/go/...", "tools/cyclecheck", "source is analysed by the checker of the cycle"},
	{"gonum.org/v1/gonum/...", "geom/calibrate rcc/scope", "numerics of calibration and of tests, spectra of captures, never in the cycle"},
	{"github.com/klauspost/compress/...", "mcap", "chunks of files are compressed in one place"},
	{"github.com/pierrec/lz4/...", "mcap", "chunks of files are compressed in one place"},
	{"github.com/chromedp/...", "internal/testkit/browser", "tests use pages as people do; what a browser is asked stays in one place"},
	{"net/http", "directio/... cmd/... internal/story", "the outside"},
	{"log", "", "structured log only"},
	{"log/slog", "", "structured log only, of one kind"},
}

// clocks are the functions of package time that read or wait for a clock. Elsewhere time is a parameter, so that the
// virtual clock is the only one that a cell knows.
var clocks = map[string]bool{
	"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true, "AfterFunc": true, "Tick": true,
	"NewTicker": true, "NewTimer": true,
}

// timekeepers may read clocks. The deadlines of connections and of stopping are those of people and networks; with
// the virtual clock they must still end.
var timekeepers = []reserve{
	{only: "internal/rt", why: "the clocks themselves"},
	{only: "internal/guard", why: "timers for those who may"},
	{only: "directio/...", why: "deadlines of connections, refresh intervals of people"},
	{only: "cmd/...", why: "grace time of stopping, --for"},
	{only: "internal/story", why: "the pace of a program that people watch"},
	{only: "tools/...", why: "dates, and how long tools take"},
}

// starters may start goroutines by themselves; all others of the daemon let package guard do it, which catches panics.
var starters = []reserve{
	{only: "internal/guard", why: "it starts them"},
	{only: "internal/rt", why: "threads of the cycle, which no panic can be caught in"},
	{only: "cmd/rccctl directio/client robotics/... examples/... tools/... ethercat/sim", why: "programs and libraries that move nothing by themselves"},
	{only: "internal/testkit/... internal/latency internal/realtime tools/instep internal/figures", why: "tests, and measurements"},
}

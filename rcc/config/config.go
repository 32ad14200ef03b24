package config

import (
	"time"

	"github.com/softrobot-rcc/rccd/geom"
)

//go:generate go test -run TestSchema -update .

// Config is a cell: how it is reached, how it runs and what belongs to it.
type Config struct {
	Server     Server   `yaml:"server" doc:"how the daemon is reached"`
	Realtime   Realtime `yaml:"realtime" doc:"how nets are executed"`
	Limits     Limits   `yaml:"limits" doc:"what may be demanded from outside"`
	Devices    []Device `yaml:"devices" doc:"devices that exist from the start"`
	Frames     []Frame  `yaml:"frames" doc:"where workpieces, tables and the like are, as they were measured, for programs that ask"`
	Nets       []Net    `yaml:"nets" doc:"nets that are loaded at the start"`
	Extensions []string `yaml:"extensions" doc:"extensions that are loaded at the start; all when not given"`
	Folder     string   `yaml:"extension-folder" doc:"folder with a folder for each extension of users; a path below the folder of this file"`
	Follow     bool     `yaml:"extension-follow" default:"false" doc:"take over what changes in the folders of loaded extensions of users as soon as nothing is written there any more"`
	NeedStop   bool     `yaml:"need-estop" default:"false" doc:"devices are stopped unless a net that runs is connected to the emergency stop (primitive EStop)"`
	Auth       Auth     `yaml:"auth" doc:"who may talk to the daemon"`

	State string `yaml:"-"` // folder in which the daemon keeps what it needs after a restart; none when empty

	origin *report // where the keys were
}

// Server is how the daemon is reached and how it stops.
type Server struct {
	Listen      string        `yaml:"listen" default:"127.0.0.1:8080" doc:"address of HTTP and of DirectIO over WebSocket; port 0 takes any"`
	DirectIOTCP string        `yaml:"directio-tcp" doc:"address of DirectIO over plain TCP; off when empty"`
	Hosts       []string      `yaml:"hosts" doc:"names under which browsers may reach the daemon, besides its address and those of this machine"`
	LogLevel    string        `yaml:"log-level" default:"info" enum:"debug info warn error" doc:"what is logged to standard error"`
	Grace       time.Duration `yaml:"grace" default:"5s" min:"0s" max:"10m" doc:"time to end in good order: half of it for nets that are cancelled, the rest, and at least 2 s, for joints to brake"`
}

// Realtime is how nets are executed.
type Realtime struct {
	Mode     string        `yaml:"mode" default:"auto" enum:"auto required off" doc:"auto takes what the machine offers, required refuses less than all of it"`
	CPUs     []int         `yaml:"cpus" min:"0" max:"1023" doc:"CPUs of executors; when not given the isolated ones, or the last of several"`
	Priority int           `yaml:"priority" default:"80" min:"31" max:"98" doc:"SCHED_FIFO priority of executors with the shortest cycle times; longer ones and nets without hard real-time come below"`
	Spin     time.Duration `yaml:"spin" default:"0s" min:"0s" max:"1ms" doc:"how long before a tick an executor stops sleeping and watches the clock: less jitter for more load"`
	Memory   bool          `yaml:"lock-memory" default:"true" doc:"keep the memory of the daemon from being paged out"`
	Awake    bool          `yaml:"keep-awake" default:"true" doc:"keep the CPUs from deep sleep, at the price of their power consumption"`
	Clock    string        `yaml:"clock" default:"real" enum:"real virtual" doc:"virtual: the same values in every run, at a speed of its own"`
	Speed    Speed         `yaml:"speed" default:"max" min:"0" doc:"multiple of real time at which virtual time passes, or max; at 0 it waits for POST /clock"`
	Cycle    time.Duration `yaml:"cycle" default:"2ms" min:"100us" max:"1m" doc:"cycle time of nets that ask for none"`
	MinCycle time.Duration `yaml:"min-cycle" default:"100us" min:"10us" max:"1m" doc:"shortest cycle time that a net may ask for"`
	MaxCycle time.Duration `yaml:"max-cycle" default:"1m" min:"100us" max:"1h" doc:"longest cycle time that a net may ask for"`
	Debug    string        `yaml:"debug" default:"requested" enum:"off requested all" doc:"which in ports of nets are recorded for debugging: none, those that nets ask for, or all that are connected"`
	DebugFor time.Duration `yaml:"debug-time" default:"2s" min:"1ms" max:"10s" doc:"how long in ports are kept when all are recorded"`
	Overrun  string        `yaml:"overrun" default:"auto" enum:"auto terminate skip" doc:"a net that takes too long is terminated, or misses cycles; auto terminates when executors are real-time threads"`
}

// Limits are what may be demanded from outside.
type Limits struct {
	NetBytes    int `yaml:"net-bytes" default:"8388608" min:"1000" max:"1000000000" doc:"bytes of the text of a net"`
	Depth       int `yaml:"depth" default:"1000" min:"2" max:"10000" doc:"fragments and primitives nested in each other"`
	Primitives  int `yaml:"primitives" default:"100000" min:"1" max:"10000000" doc:"primitives and fragments of a net"`
	Ports       int `yaml:"ports" default:"1000000" min:"1" max:"100000000" doc:"ports and parameters of a net"`
	Nets        int `yaml:"nets" default:"1024" min:"1" max:"65536" doc:"nets that are loaded at the same time"`
	Devices     int `yaml:"devices" default:"1024" min:"1" max:"65536" doc:"devices at the same time"`
	DebugNet    int `yaml:"debug-net-bytes" default:"16777216" min:"0" max:"1000000000" doc:"bytes that recorded ports of a net may take; they are kept for a shorter time where that is not enough"`
	Debug       int `yaml:"debug-bytes" default:"67108864" min:"0" max:"1000000000000" doc:"bytes that recorded ports of all loaded nets may take"`
	ProbeNet    int `yaml:"probe-net-words" default:"1024" min:"1" max:"1000000" doc:"words that all probes of a net may take in a cycle; a number is one word, a vector three"`
	Probes      int `yaml:"probe-words" default:"8192" min:"1" max:"1000000" doc:"words that the probes of all nets may take in their cycles"`
	ProbeBytes  int `yaml:"probe-bytes" default:"67108864" min:"65536" max:"1000000000000" doc:"bytes that all probes may take, each a quarter at most; they keep values for a shorter time where that is not enough"`
	Memory      int `yaml:"memory" min:"16777216" max:"1000000000000000" doc:"bytes that clients may cause to be taken in all, for nets with their texts, arrays and histories, recordings, previews and requests; when not given half of what machine, control groups and resource limits allow"`
	SessionMem  int `yaml:"session-memory" min:"1048576" max:"1000000000000000" doc:"bytes of them for the nets of one session; three quarters when not given"`
	ConnMem     int `yaml:"connection-memory" min:"1048576" max:"1000000000000000" doc:"bytes of them for the nets without session that come over one connection; three quarters when not given"`
	ClientNets  int `yaml:"client-nets" min:"1" max:"65536" doc:"nets of one session, or without session over one connection; three quarters of nets when not given"`
	CPUPercent  int `yaml:"cpu-percent" default:"80" min:"1" max:"100" doc:"percent of each CPU that nets may take together; nets that would take more are not started, and if nets have grown beyond it the one started last is ended"`
	Connections int `yaml:"connections" default:"256" min:"1" max:"65536" doc:"connections at the same time"`
}

// Device is a device of the cell.
type Device struct {
	Name   string            `yaml:"name" required:"true" doc:"name by which nets and clients know it"`
	Type   string            `yaml:"type" required:"true" doc:"device type"`
	Place  Place             `yaml:"place" doc:"where it stands in the cell, for the pictures of the cell and for programs that ask"`
	Params map[string]string `yaml:",rest" doc:"parameters of the device type"`
}

// Frame is a coordinate system of the cell that belongs to no device.
type Frame struct {
	Name  string `yaml:"name" required:"true" doc:"name by which programs know it"`
	Of    string `yaml:"of" doc:"device from whose base it is seen; the cell when not given"`
	Place Place  `yaml:"place" doc:"where it is"`
}

// Place is where something stands and how it is turned, as frames are written on ports.
type Place struct {
	X float64 `yaml:"x" doc:"m"`
	Y float64 `yaml:"y" doc:"m"`
	Z float64 `yaml:"z" doc:"m, upwards"`
	A float64 `yaml:"a" doc:"turned about z, rad"`
	B float64 `yaml:"b" doc:"then about y, rad"`
	C float64 `yaml:"c" doc:"then about x, rad"`
}

// Frame returns the place as a frame.
func (p Place) Frame() geom.Frame {
	return geom.Frame{Pos: geom.Vector{X: p.X, Y: p.Y, Z: p.Z}, Rot: geom.FromABC(p.A, p.B, p.C)}
}

// Speed is how much faster than real time something goes.
type Speed float64

// Start is when a net is started that is loaded at the start.
type Start string

// StartInOrder is after an orderly end of the daemon before, and StartAlways after any end.
const (
	StartInOrder Start = "true"
	StartAlways  Start = "always"
)

// Net is a net that is loaded at the start.
type Net struct {
	Description string        `yaml:"description" doc:"shown in lists"`
	File        string        `yaml:"file" required:"true" doc:"net in text form, or in XML when it ends with .xml; a path in or below the folder of this file"`
	Cycle       time.Duration `yaml:"cycle" min:"0s" max:"1h" doc:"cycle time, the default one when not given"`
	Start       Start         `yaml:"start" doc:"true: start it when everything is loaded, unless the daemon did not end in order before; always: in any case"`

	Text string `yaml:"-"` // what File contains
}

// Auth is who may talk to the daemon.
type Auth struct {
	Mode string `yaml:"mode" enum:"none" doc:"none: everybody who can reach the address; must be written out for an address that is not of this machine only"`
}

package cia402

import "fmt"

// texts are of codes of object 0x603F, which emergencies have too. A code whose lower digits are unknown is of the class of the
// higher ones.
var texts = map[uint16]string{
	0x0000: "no error",
	0x1000: "error without a name",
	0x2000: "current", 0x2100: "current at the input", 0x2110: "short circuit or earth leakage at the input", 0x2200: "current inside",
	0x2300: "current at the output", 0x2310: "overcurrent", 0x2320: "short circuit or earth leakage", 0x2330: "earth leakage", 0x2340: "short circuit",
	0x3000: "voltage", 0x3100: "mains voltage", 0x3110: "mains overvoltage", 0x3120: "mains undervoltage", 0x3130: "a phase is missing",
	0x3200: "voltage of the intermediate circuit", 0x3210: "overvoltage", 0x3220: "undervoltage", 0x3300: "voltage at the output",
	0x4000: "temperature", 0x4100: "temperature around", 0x4200: "temperature of the device", 0x4210: "the device is too hot", 0x4220: "the device is too cold",
	0x4300: "temperature of the drive", 0x4310: "the drive is too hot", 0x4320: "the drive is too cold", 0x4400: "temperature of the supply",
	0x5000: "hardware", 0x5100: "supply of the electronics", 0x5200: "control hardware", 0x5300: "operating unit", 0x5400: "power section",
	0x5441: "a contactor", 0x5500: "memory",
	0x6000: "software", 0x6010: "software reset by its watchdog", 0x6100: "internal software", 0x6200: "user software", 0x6300: "parameters",
	0x6310: "parameters were lost", 0x6320: "a parameter is wrong",
	0x7000: "additional module", 0x7100: "power module", 0x7110: "brake chopper", 0x7120: "motor", 0x7121: "the motor is blocked", 0x7122: "motor, or its commutation",
	0x7200: "measuring circuit", 0x7300: "sensor", 0x7305: "first encoder", 0x7306: "second encoder", 0x7310: "speed", 0x7320: "position",
	0x7400: "computing circuit", 0x7500: "communication", 0x7600: "data memory",
	0x8000: "supervision", 0x8100: "communication is supervised", 0x8110: "overrun of communication", 0x8120: "communication is passive", 0x8130: "no heartbeat",
	0x8200: "protocol", 0x8300: "torque control", 0x8311: "too much torque", 0x8400: "velocity control", 0x8480: "too fast", 0x8500: "position control",
	0x8600: "positioning", 0x8611: "following error", 0x8612: "reference limit", 0x8700: "synchronisation", 0x8800: "winding",
	0x9000: "external error", 0xf000: "additional function", 0xf001: "braking", 0xf002: "running down", 0xf003: "start", 0xff00: "error of the maker's own",
}

// masks lead from a code to its classes.
var masks = [...]uint16{0xffff, 0xfff0, 0xff00, 0xf000}

// ErrorText returns what an error code means.
func ErrorText(code uint16) string {
	for _, m := range masks {
		if text, ok := texts[code&m]; ok && (code&m != 0 || code == 0) {
			return text
		}
	}
	return fmt.Sprintf("error %#04x", code)
}

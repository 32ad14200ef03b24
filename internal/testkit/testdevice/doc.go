// Package testdevice is a device without hardware for tests and examples: sensors whose values a test sets, and
// actuators that keep a record of what they were told.
//
// The primitive Test::Sensor reads a channel once per cycle in phase 1 (§5.3.2), whenever and from wherever Set was
// called. Test::Actuator commands a channel in phase 3; it claims the resource "channel <n>" of the device, so that two
// nets with the same channel cannot run at the same time (§6.2). Records returns every command of the recent past with
// its cycle and its logical time: exactly one command in every tick is what a synchronised change of nets must give.
//
// Parameters: channels (8), the number of sensors and of actuators, and records (4096), how many commands are kept.
//
// The page channels shows both, and sets sensors: POST /devices/NAME/channels with channel and value.
//
// The device is always operational. It has no unit: values are what the test says they are.
package testdevice

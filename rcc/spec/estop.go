package spec

// EmergencyStop is the key under which a net publishes whether it asks for an emergency stop, without the prefix out of a
// NetcommOut.
const EmergencyStop = "EStop"

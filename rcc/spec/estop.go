package spec

// EmergencyStop is the key under which a net says whether it asks for an emergency stop. That of a NetcommOut begins with out.
const EmergencyStop = "EStop"

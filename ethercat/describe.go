package ethercat

import "github.com/softrobot-rcc/rccd/ethercat/sii"

// Memory returns the contents of its SII; nil before the scan (any).
func (s *Slave) Memory() *sii.Description { return s.SII }

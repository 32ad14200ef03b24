package main

//go:noinline
func sixAxes(c *cell) {
	c.status = c.wrist.Nearest(&c.frame, c.other, c.joints)
	c.status = c.wrist.Branches(&c.frame, c.other, &c.branches)
	c.index = int(c.wrist.Configuration(c.joints))
	s, t := c.wrist.StatusAndTurn(c.joints)
	c.status = c.wrist.WithStatusAndTurn(&c.frame, s, t, c.other, c.joints)
	c.status = c.ur.Nearest(&c.frame, c.other, c.joints)
	c.status = c.ur.Branches(&c.frame, c.other, &c.branches)
	c.index += int(c.ur.Configuration(c.joints))
}

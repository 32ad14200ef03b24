package kukafri

// Leave is how Close begins, which waits in real time only.
func (r *Robot) Leave() { r.closing.Store(true) }

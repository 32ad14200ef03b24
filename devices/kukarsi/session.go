package kukarsi

import (
	"math"
	"time"
)

// heard is what a telegram says of the session that it belongs to. The answer depends on that alone.
type heard struct {
	stamp   uint64 // IPOC
	late    int64  // Delay
	counts  bool   // there is a Delay
	reading bool   // the program is in its first step (figure 11.11)
	at      int64  // when it arrived, Unix ns
	quiet   int64  // for how long nothing had arrived before, ns
}

// session is what the driver knows of the session of the controller that it has followed last, and of telegrams that may
// belong to another one. It decides one question for each telegram: what does the controller hold in its cycle?
//
// Telegrams of one session rise by the same step in every cycle; Delay reports what became of the answer before. Both together are
// a chain: what the controller held in the first cycle, and the fate of every answer since. A telegram that is not a link of the
// chain is put into a window; three in order that are paced like a controller's cycles are evidence. A silence between them does not
// matter where Delay reports the cycles in it: simulators that count exchanges wait for each answer.
type session struct {
	nominal int64 // cycle of the configuration, ns
	silence int64 // cycles without telegram that end the chain
	window  window
	need    int   // telegrams in the window that are evidence
	long    int64 // no session outlives a silence of this, ns
	missing int64 // nor one in which it would miss as many answers

	known    bool // there is a chain
	base     heard
	stamp    uint64
	step     uint64 // of stamps in one cycle; 0: not known yet
	late     int64
	at       int64
	behind   int64 // by how much the telegrams are later than their stamps say, against the fastest ones, ns
	lag      int64 // by how much the newest one is later than its stamp says, against the earliest ones of late, ns
	answered bool  // the newest telegram
	reading  bool
	counting counting
	resends  bool  // without an answer, the same stamp comes again with a greater Delay
	led      bool  // an answer had a correction
	cycle    int64 // measured, ns
	short    int64 // the shorter one of that and of the configuration, as long as they differ by much, ns
	pace     pace

	chain      int   // links since the chain was lost
	calm       bool  // nothing has been answered since a silence that no session outlives
	hush       int64 // that silence, ns
	answeredAt int64 // the newest answer, or when the wire was opened

	// The fate of the answer to the link before, if the newest telegram is a link.
	linked  bool
	lost    uint32 // telegrams since
	applied bool
	still   bool // the controller held for a cycle or more since
}

// counting is how the controller counts missing answers.
type counting uint8

const (
	uncounted counting = iota // there is no Delay, or it stays as it is
	counted                   // since RSI_ON or in a row
	inTotal                   // since RSI_ON: it never falls
	inRow
)

// finding is what a telegram is.
type finding uint8

const (
	repeated   finding = iota // the newest one again
	stale                     // older, or of another session, while this one goes on
	inOrder                   // the next of the session
	doubtful                  // there is not enough evidence yet
	unknowable                // there is, and what the controller holds is not known
	fresh                     // of a session that holds nothing
	resumed                   // of the session before, after a silence
)

func (s *session) open(cfg *wireConfig) {
	s.nominal, s.silence = int64(cfg.Cycle), int64(cfg.Silence)
	s.cycle, s.short = s.nominal, s.nominal
	s.need = evidence
	if cfg.Timeout <= evidence { // the controller would end the session before
		s.need = 1
	}
	s.missing = 2 * int64(cfg.Timeout)
	s.long = max(int64(outlived), s.missing*int64(cfg.Cycle))
}

const (
	evidence = 3                      // telegrams
	outlived = 5 * time.Second        // least silence that no session outlives
	settled  = 100 * time.Millisecond // since the wire was opened: what another driver has answered before would have been counted
	spare    = 2                      // cycles between the last answer to a session and the first one of the next
	few      = 7                      // missing answers of a session that began while the wire was open
	pauses   = 2 * time.Second        // longest wait of a simulator for one answer
)

// limit returns the silence after which nothing goes on by itself, ns (cycle).
func (s *session) limit() int64 { return s.silence * s.cycle }

// hear looks at a telegram. Following is that the telegram before was answered, or could have been (cycle).
func (s *session) hear(h *heard, following bool) finding {
	if s.answeredAt == 0 {
		s.answeredAt = h.at - h.quiet
	}
	if h.quiet >= s.long {
		s.calm, s.known, following = true, false, false
		s.hush = h.quiet
		s.window.n = 0
	}
	how := s.relate(h)
	s.linked = how == next
	if following {
		return s.follow(h, how)
	}
	return s.listen(h, how)
}

// follow is for telegrams while the session goes on (cycle).
func (s *session) follow(h *heard, how relation) finding {
	if how == next {
		s.window.n = 0
		if s.behind > s.limit() || s.resends && !s.applied { // the answer before may still be on its way, and count for this telegram
			s.chain = 0
			return doubtful
		}
		return inOrder
	}
	if !s.window.push(h) {
		return repeated
	}
	silent := h.at - s.at
	switch found := s.judge(); {
	case s.window.n < s.need || found == doubtful || 2*silent < 5*s.cycle:
	case found == fresh, 2*silent > s.limit():
		s.chain = 0
		return found
	}
	if how == same {
		return repeated
	}
	return stale
}

// listen is for telegrams that are not answered until it is known what the controller holds (cycle).
func (s *session) listen(h *heard, how relation) finding {
	if s.chain++; how != next {
		s.chain = 0
	}
	if !s.window.push(h) {
		return repeated
	}
	switch {
	case how == next && s.chain >= s.need && s.led && s.counting != uncounted && s.behind <= s.limit():
		return resumed
	case s.window.n < s.need:
		return doubtful
	}
	found := s.judge()
	if found == unknowable && s.chain > 0 && s.chain < s.need {
		return doubtful
	}
	return found
}

// judge decides by the window (cycle).
func (s *session) judge() finding {
	w := &s.window
	first, newest := &w.of[0], &w.of[len(w.of)-1]
	e := w.examine(s.nominal)
	alone := first.at - s.answeredAt // without an answer
	since := share(alone, e.cycle)
	switch {
	case !e.paced, !e.counted && e.gap > s.limit():
		return doubtful
	case first.reading, s.calm && !e.counted && s.hush >= s.missing*e.cycle: // a simulator may wait longer than a cycle for each answer
		return fresh
	case e.counted && e.never(newest):
		return fresh
	case !s.known:
		if e.counted && (s.calm || first.late <= few) && alone >= int64(settled)+2*first.late*max(e.cycle, s.nominal) {
			return fresh
		}
		return unknowable
	case !s.led && (s.chain >= s.need || s.later(first)): // the same session or another one: both hold nothing
		return fresh
	case e.counted && e.gap > s.limit() && (!s.led || newest.stamp <= s.base.stamp): // of a simulator that waits, and has begun since
		return fresh
	case e.counted && s.counting == inTotal && first.late < s.base.late: // which never falls
		return fresh
	case e.counted && s.foreign(first) && first.late+spare <= since: // the session before would have counted more
		return fresh
	case !e.counted && !s.led && s.reading && since >= spare:
		return fresh
	}
	return unknowable
}

// ignorance is why it is not known what a session holds.
type ignorance uint8

const (
	certain     ignorance = iota
	justOpened            // it began when the device did
	openedLate            // it had begun before
	neverCounts           // the same, and it does not count missing answers
	leftAlone             // it may hold what it was answered here
	misplaced             // axes are not where they would be if it held nothing
)

// assessment is an ignorance in a word, with Delay of the first telegram of the window, and for how many ms the wire was open then.
type assessment uint64

// assessment returns why the verdict about the window is what it is (cycle).
func (s *session) assessment() assessment {
	first := &s.window.of[0]
	why := openedLate
	switch {
	case s.known:
		why = leftAlone
	case !s.window.examine(s.nominal).counted:
		why = neverCounts
	case first.late == 0:
		why = justOpened
	}
	late, after := uint64(max(first.late, 0)), uint64(max(first.at-s.answeredAt, 0))/1e6
	return assessment(uint64(why) | min(late, 1<<24-1)<<8 | min(after, 1<<32-1)<<32)
}

func (m assessment) why() ignorance { return ignorance(m) }
func (m assessment) late() uint64   { return uint64(m) >> 8 & (1<<24 - 1) }

// after is for how long the wire was open.
func (m assessment) after() time.Duration { return time.Duration(m>>32) * time.Millisecond }

// later reports whether a telegram is from after the newest of the session by the same clock (cycle).
func (s *session) later(h *heard) bool {
	if h.stamp <= s.stamp || s.step == 0 {
		return false
	}
	cycles := float64(h.stamp-s.stamp) / float64(s.step)
	return cycles*float64(s.cycle) <= float64(h.at-s.at)+float64(s.limit())
}

// foreign reports whether the window cannot be what has been heard of the session since an answer had a correction (cycle).
func (s *session) foreign(first *heard) bool {
	if first.stamp > s.stamp {
		return !s.later(first)
	}
	return s.window.of[len(s.window.of)-1].stamp <= s.base.stamp
}

// relation is how a telegram stands to the newest of the session.
type relation uint8

const (
	apart relation = iota
	same
	older
	next
)

// relate makes a telegram the newest of the session if it is a link of the chain, and finds out what became of the answer before
// (cycle).
func (s *session) relate(h *heard) relation {
	switch {
	case !s.known:
		return apart
	case s.resends:
		return s.exchange(h)
	case h.stamp == s.stamp:
		return same
	case h.stamp < s.stamp:
		return older
	case h.reading != s.reading, s.counting != uncounted && !h.counts:
		return apart
	}
	n, ok := s.cycles(h.stamp - s.stamp)
	if !ok {
		return apart
	}
	behind, lag := s.behind+h.at-s.at-n*s.cycle, s.lag+h.at-s.at-n*s.short
	if s.counting == uncounted {
		if behind < -s.limit() || behind > s.limit() {
			return apart
		}
		s.applied, s.still = true, n > 1
	} else {
		grown := h.late - s.late
		switch {
		case lag < -s.short/2-n*s.short/8: // it came before its cycle, from a session that has been before
			return apart
		case grown == n:
			if s.applied, s.still = false, true; s.behind <= s.limit() {
				behind = 0 // no session that has begun since would have counted as much
			}
		case s.answered && grown == n-1 && s.counting != inRow:
			if s.applied, s.still = true, n > 1; s.late > 0 {
				s.counting = inTotal
			}
			if h.late > n && s.behind <= s.limit() {
				behind = 0 // nor as much as this: it would have had n cycles at most
			}
		case s.answered && h.late == n-1 && s.counting != inTotal:
			if s.applied, s.still = true, n > 1; s.late > 0 {
				s.counting = inRow
			}
		default:
			return apart
		}
	}
	s.lost = uint32(min(n-1, math.MaxInt32))
	s.proceed(h, n, max(behind, 0))
	s.lag = max(lag-n*s.short/64, 0)
	return next
}

// exchange is relate for a simulator whose stamp rises with an answer only (cycle).
func (s *session) exchange(h *heard) relation {
	by, grown := h.stamp-s.stamp, h.late-s.late
	switch {
	case h.reading != s.reading || !h.counts:
		return apart
	case h.stamp < s.stamp, by == 0 && grown < 0:
		return older
	case by == 0 && grown == 0:
		return same
	case by == 0:
		s.applied, s.still = false, true
	case !s.answered, s.step != 0 && by != s.step, h.at-s.at > s.limit(): // a telegram is missing, an answer came late, or it is another session
		return apart
	case grown == 0 && (s.counting != inRow || h.late == 0):
		s.taken(by, inTotal)
	case h.late == 0 && s.counting != inTotal:
		s.taken(by, inRow)
	default:
		return apart
	}
	s.lost = uint32(min(max(grown, 1)-1, math.MaxInt32))
	s.proceed(h, max(grown, 1), 0)
	return next
}

// taken notes that a simulator has taken the answer, and counts accordingly (cycle).
func (s *session) taken(step uint64, is counting) {
	if s.late > 0 {
		s.counting = is
	}
	s.step, s.applied, s.still = step, true, false
}

// cycles returns how many cycles a difference of stamps is (cycle).
func (s *session) cycles(by uint64) (n int64, ok bool) {
	if s.step == 0 || s.counting == uncounted && by < s.step {
		s.step = by
	}
	if s.step == 0 || by%s.step != 0 || by/s.step > math.MaxInt32 {
		return 0, false
	}
	return int64(by / s.step), true
}

// proceed is the next link. Timely telegrams determine the cycle; small delays that remain become part of it.
func (s *session) proceed(h *heard, n, behind int64) {
	s.cycle = s.pace.next(h.at-s.at, n, s.cycle)
	s.shorten()
	if behind <= s.limit() {
		behind -= min(behind, n*s.cycle/16)
	}
	s.stamp, s.late, s.at, s.behind, s.answered = h.stamp, h.late, h.at, behind, false
}

// shorten chooses the cycle by which axes are led (cycle).
func (s *session) shorten() {
	short := s.nominal
	if 5*s.cycle < 4*s.nominal {
		short = s.cycle
	}
	if away := 10 * (short - s.short); away > s.short || away < -s.short {
		s.short = short
	}
}

// adopt begins a chain with the newest telegram, of a session that holds nothing (cycle).
func (s *session) adopt(h *heard) {
	e := s.window.examine(s.nominal)
	s.known, s.calm, s.led, s.answered, s.base = true, false, false, false, *h
	s.stamp, s.step, s.late, s.at, s.behind, s.lag, s.reading = h.stamp, e.step, h.late, h.at, 0, 0, h.reading
	s.counting, s.resends = uncounted, e.counted && e.step == 0
	if e.counted {
		s.counting = counted
	}
	s.cycle, s.pace = s.nominal, pace{}
	if e.gap <= s.limit() && (e.cycle < 2*s.nominal/3 || e.cycle > 3*s.nominal/2) { // or it is what a simulator waits for answers
		s.cycle = min(max(e.cycle, s.nominal/5), 5*s.nominal)
		s.pace.rough = paceOver
	}
	s.shorten()
	s.window.n, s.chain = 0, 0
	s.linked, s.lost, s.applied, s.still = true, 0, false, true
}

// answer notes that the newest telegram is answered, and whether with a correction (cycle).
func (s *session) answer(now int64, corrected bool) {
	s.answered, s.answeredAt = true, max(s.answeredAt, now)
	s.led = s.led || corrected
}

// lapse is the end of a session that was followed, by silence. Telegrams that are not answered remain evidence (cycle).
func (s *session) lapse() { s.chain = 0 }

// patience returns the cycle that a silence is measured by after a telegram that is not answered: a simulator that waits for answers is
// not gone before it has waited (cycle).
func (s *session) patience(h *heard) int64 {
	if h.quiet > int64(pauses) {
		return s.cycle
	}
	return max(s.cycle, share(3*h.quiet, 2*s.silence))
}

// window are telegrams in order that are not answered, the last ones of a row.
type window struct {
	n  int
	of [evidence]heard
}

// push takes a telegram; it is false when it is the last one again (cycle).
func (w *window) push(h *heard) bool {
	if w.n > 0 && w.n <= len(w.of) {
		last := &w.of[w.n-1]
		if h.stamp == last.stamp && h.late == last.late {
			return false
		}
		if h.stamp < last.stamp || h.reading != last.reading || h.counts != last.counts || h.late < last.late {
			w.n = 0
		}
	}
	if w.n == len(w.of) {
		copy(w.of[:], w.of[1:])
		w.n--
	}
	if uint(w.n) < uint(len(w.of)) {
		w.of[w.n] = *h
		w.n++
	}
	return true
}

// examination is what the telegrams of a window have in common.
type examination struct {
	paced   bool   // they come at the pace of a controller; a burst is old news
	counted bool   // Delay grows by one in each cycle without answer
	step    uint64 // 0 if stamps rise with answers only
	cycle   int64
	gap     int64 // the longest silence between them, ns
}

// examine looks at the window as a whole (cycle).
func (w *window) examine(nominal int64) (e examination) {
	if e.cycle = nominal; w.n < len(w.of) {
		e.paced = true // one telegram is all that there can be
		return e
	}
	a, b, c := &w.of[0], &w.of[1], &w.of[2]
	rise, fall := b.stamp-a.stamp, c.stamp-b.stamp
	first, second := uint64(max(b.late-a.late, 0)), uint64(max(c.late-b.late, 0))
	var n uint64
	switch {
	case a.counts && first > 0 && second > 0 && rise%first == 0 && fall%second == 0 && rise/first == fall/second:
		e.counted, e.step, n = true, rise/first, first+second
	case first == 0 && second == 0 && rise > 0 && fall > 0:
		e.step = min(rise, fall)
		n = (rise + fall) / e.step
	}
	if n == 0 || n > maxWindow {
		return e
	}
	e.cycle, e.gap = (c.at-a.at)/int64(n), max(b.at-a.at, c.at-b.at)
	e.paced = e.cycle >= 3*nominal/10 && (!e.counted || even(b.at-a.at, c.at-b.at, int64(first), int64(second), nominal))
	return e
}

// never reports whether all cycles since the stamp was 0 had no answer, for stamps that begin there (cycle).
func (e *examination) never(h *heard) bool {
	if e.step == 0 {
		return h.stamp == 0
	}
	return h.stamp/e.step <= uint64(h.late)
}

// even reports whether two times are those of a number of cycles, except for jitter. An old telegram that a network has delivered again
// comes later than it should, so that the time to the next one is too short (cycle).
func even(ab, bc, first, second, nominal int64) bool {
	if first > maxWindow || second > maxWindow {
		return false
	}
	off := ab*second - bc*first
	return max(off, -off) <= max(first, second)*(2*nominal+max(ab, bc)/32)
}

const maxWindow = 1000 // cycles

// pace measures the cycle of the controller by telegrams that come regularly, against jitter by many of them.
type pace struct {
	cycles, span int64
	rough        int64 // cycles for which the measure is that of a few telegrams only
}

const (
	paceOver = 64 // cycles
	paceFew  = 8
)

// next takes the time between two telegrams that are some cycles apart, and returns the cycle (cycle).
func (p *pace) next(span, cycles, cycle int64) int64 {
	away := span - cycles*cycle
	if p.rough > 0 {
		p.rough--
		return cycle + share(min(away, cycles*cycle), cycles*paceFew)
	}
	if 4*away > 3*cycle || 4*away < -3*cycle { // telegrams were held up, or what was held up comes now
		p.cycles, p.span = 0, 0
		return cycle
	}
	p.cycles, p.span = p.cycles+cycles, p.span+span
	if p.cycles < paceOver {
		return cycle
	}
	measured := share(p.span, p.cycles)
	p.cycles, p.span = 0, 0
	return measured
}

// share returns a part of a time (cycle).
func share(of, parts int64) int64 {
	if parts <= 0 {
		return 0
	}
	return of / parts
}

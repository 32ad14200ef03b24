package coe

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// Client carries out transfers for a master, one at a time. A loop for it:
//
//	for !c.Done() {
//		if mail, ok := c.Request(); ok { write mail to SyncManager 0 } else { read mail from SyncManager 1; c.Answer(mail) }
//	}
//
// Counters begin again when a slave has left Init; make a new client then.
type Client struct {
	room    int // of a mail that is sent
	sent    uint8
	heard   []byte // the newest mail
	asked   []byte // the request of this transfer, while nothing has come for it
	doubted bool   // what has come since looks like a repetition of heard
	doing   doing
	index   uint16
	sub     uint8
	part    uint8 // completeBit or 0
	data    []byte
	at      int // how much of data was sent
	size    int // that was announced
	toggle  byte
	request []byte
	err     error
	info    opcode // of the answer
	left    int    // fragments that are to come
	listed  []uint16

	emergencies []Emergency
	misnamed    int
}

// doing is what a client is waiting for.
type doing uint8

const (
	idle doing = iota
	downloading
	downloadingSegments
	uploading
	uploadingSegments
	asking
)

// Errors of a client.
var (
	ErrNotUnderstood = errors.New("the answer was not understood")
	ErrTooLong       = errors.New("the object is too long")
	ErrMailbox       = errors.New("the mailbox is too small")
)

// NewClient makes a client for a mailbox of a slave; size is that of the area which the master writes.
func NewClient(size int) *Client { return &Client{room: size} }

// begin starts a transfer. One that was under way is given up.
func (c *Client) begin(what doing, index uint16, sub uint8, complete bool) {
	c.doing, c.index, c.sub, c.err = what, index, sub, nil
	c.part, c.data, c.at, c.size, c.toggle, c.listed, c.left = 0, nil, 0, 0, 0, nil, -1
	c.asked, c.doubted = nil, false
	if complete {
		c.part = completeBit
	}
	if c.room < SmallestMailbox {
		c.fail(ErrMailbox)
	}
}

// Upload reads an entry, or with complete access all of them from a subindex on, which is 0 or 1; subindex 0 then takes 16 bits.
func (c *Client) Upload(index uint16, sub uint8, complete bool) {
	if c.begin(uploading, index, sub, complete); c.doing != idle {
		c.inquire(newMail(serviceRequest).sdo(uploadInitiate|c.part, index, sub, 0))
	}
}

// Download writes an entry, or all of them.
func (c *Client) Download(index uint16, sub uint8, complete bool, data []byte) {
	c.begin(downloading, index, sub, complete)
	if c.doing == idle {
		return
	}
	if len(data) > MostData {
		c.fail(ErrTooLong)
		return
	}
	c.data = append([]byte{}, data...)
	if n := len(data); n > 0 && n <= shortData {
		var word [shortData]byte
		copy(word[:], data)
		c.at = n
		c.send(newMail(serviceRequest).sdo(downloadInitiate|c.part|unused(n, shortData)<<2|expedited|sizeGiven, index, sub,
			binary.LittleEndian.Uint32(word[:])))
		return
	}
	c.at = min(len(data), c.room-SmallestMailbox)
	c.send(newMail(serviceRequest).sdo(downloadInitiate|c.part|sizeGiven, index, sub, uint32(len(data))).add(data[:c.at]...))
}

// List asks for a list of objects.
func (c *Client) List(list List) {
	c.ask(listRequest, 0, 0, binary.LittleEndian.AppendUint16(nil, uint16(list)))
}

// Object asks for the description of an object.
func (c *Client) Object(index uint16) {
	c.ask(objectRequest, index, 0, binary.LittleEndian.AppendUint16(nil, index))
}

// Entry asks for the description of an entry.
func (c *Client) Entry(index uint16, sub uint8) {
	c.ask(entryRequest, index, sub, append(binary.LittleEndian.AppendUint16(nil, index), sub, 0))
}

func (c *Client) ask(o opcode, index uint16, sub uint8, data []byte) {
	if c.begin(asking, index, sub, false); c.doing != idle {
		c.info = o + 1
		c.inquire(newMail(serviceInfo).add(byte(o), 0, 0, 0).add(data...))
	}
}

func (c *Client) send(m *mail) {
	c.sent = NextCounter(c.sent)
	c.request = m.complete(TypeCoE, c.sent)
}

// inquire sends the request of a transfer that can be asked for twice.
func (c *Client) inquire(m *mail) {
	c.send(m)
	c.asked = append([]byte{}, c.request...)
}

// Again repeats the request of a transfer when no answer has come, if it may have been lost to a counter: it has seven
// values. A slave takes a request for repeated that has the counter of what another master has sent last, and its answer looks
// like the one before when another master has taken six mails in between. With others, such a master is known; without, a mail
// must have looked like that. Again reports whether there is a request. Nothing is written twice.
func (c *Client) Again(others bool) bool {
	if c.asked == nil || c.doing == idle || !c.doubted && !others {
		return false
	}
	c.sent = NextCounter(c.sent)
	c.request, c.asked = c.asked, nil
	h, _ := ParseHeader(c.request)
	h.Counter = c.sent
	h.Put(c.request)
	return true
}

func (c *Client) fail(err error) {
	c.doing, c.err = idle, &TransferError{c.index, c.sub, err}
}

// giveUp fails and informs the slave.
func (c *Client) giveUp(a Abort, err error) {
	c.send(newMail(serviceRequest).sdo(abortTransfer, c.index, c.sub, uint32(a)))
	c.fail(err)
}

// Request returns the next mail to be sent, or false when an answer must come first. The mail is to be sent until it has arrived.
func (c *Client) Request() (mail []byte, ok bool) {
	mail, c.request = c.request, nil
	return mail, mail != nil
}

// Done reports whether the transfer has ended and nothing is left to be sent.
func (c *Client) Done() bool { return c.doing == idle && c.request == nil }

// GiveUp ends the transfer, for example after a time-out, with an abort to be sent.
func (c *Client) GiveUp(a Abort) {
	if c.doing != idle {
		c.giveUp(a, a)
	}
}

// Err returns why the transfer has failed.
func (c *Client) Err() error { return c.err }

// Data returns what was uploaded.
func (c *Client) Data() []byte { return c.data }

// Listed returns the objects of a list.
func (c *Client) Listed() []uint16 { return c.listed }

// Described returns the object that was asked for.
func (c *Client) Described() (Object, bool) {
	if c.info != objectResponse {
		return Object{}, false
	}
	return parseObject(c.data)
}

// DescribedEntry returns the entry that was asked for.
func (c *Client) DescribedEntry() (Entry, bool) {
	if c.info != entryResponse {
		return Entry{}, false
	}
	return parseEntry(c.data)
}

// Emergencies returns those that have come since the last call.
func (c *Client) Emergencies() []Emergency {
	list := c.emergencies
	c.emergencies = nil
	return list
}

// Misnamed returns how many aborts have come as SDO responses since the last call.
func (c *Client) Misnamed() int {
	n := c.misnamed
	c.misnamed = 0
	return n
}

// Answer takes a mail that has come and reports whether it belonged to the transfer. Others are those that come late, twice, or
// without being asked for: they are dropped, except for emergencies.
func (c *Client) Answer(m []byte) (mine bool) {
	h, ok := c.news(m)
	if !ok {
		return false
	}
	if mine = c.answer(h, m); mine {
		c.asked = nil
	}
	return mine
}

func (c *Client) answer(h Header, m []byte) (mine bool) {
	if h.Type == TypeError {
		e, ok := parseMailError(m[HeaderSize : HeaderSize+int(h.Length)])
		if ok = ok && c.doing != idle; ok {
			c.fail(e)
		}
		return ok
	}
	_, s, body, ok := parseCoE(m)
	if !ok {
		return false
	}
	switch s {
	case serviceEmergency:
		c.emergency(body)
	case serviceInfo:
		return c.doing == asking && c.informed(body)
	case serviceResponse, serviceRequest:
		return c.transferred(s, body)
	}
	return false
}

// Unasked takes a mail that was not requested, or that was there before the request: whatever it says, it is not an answer. It
// is true for emergencies, and for what news does not take. Another master may have left such a mail.
func (c *Client) Unasked(m []byte) (expected bool) {
	if _, ok := c.news(m); !ok {
		return true
	}
	_, s, body, ok := parseCoE(m)
	if ok && s == serviceEmergency {
		c.emergency(body)
		return true
	}
	return false
}

// news reads the header of a mail, unless it is the same as before, or none. The counter alone does not decide: it has seven
// values, and another master may have taken mails in between.
func (c *Client) news(m []byte) (h Header, ok bool) {
	if h, ok = ParseHeader(m); !ok {
		return h, false
	}
	whole := m[:HeaderSize+int(h.Length)]
	if h.Counter != 0 && bytes.Equal(whole, c.heard) {
		c.doubted = true
		return h, false
	}
	c.heard = append(c.heard[:0], whole...)
	return h, true
}

func (c *Client) emergency(body []byte) {
	const most = 64 // more than the newest are not needed
	if e, ok := parseEmergency(body); ok {
		if len(c.emergencies) == most {
			c.emergencies = append(c.emergencies[:0], c.emergencies[1:]...)
		}
		c.emergencies = append(c.emergencies, e)
	}
}

// transferred takes an answer about an SDO. An abort is an SDO request, from either side (ETG.1000.6 §5.6.2.7); some slaves send it
// as a response, which is taken and counted. All other answers are responses.
func (c *Client) transferred(as service, body []byte) bool {
	s, ok := parseSDO(body)
	if !ok || c.doing == idle || c.doing == asking {
		return false
	}
	command := s.command & commandMask
	switch {
	case command == abortTransfer && !c.aborted(&s):
		return false
	case command == abortTransfer:
		if as != serviceRequest {
			c.misnamed++
		}
		return true
	case as != serviceResponse:
		return false
	}
	switch c.doing {
	case downloading:
		if command != downloadInitiateAnswer || s.index != c.index || s.sub != c.sub {
			return false
		}
		c.nextSegment()
	case downloadingSegments:
		if command != downloadSegmentAnswer {
			return false
		}
		if s.command&toggleBit != c.toggle {
			c.giveUp(AbortToggle, AbortToggle)
			return true
		}
		c.toggle ^= toggleBit
		c.nextSegment()
	case uploading:
		if command != uploadInitiateAnswer || s.index != c.index || s.sub != c.sub {
			return false
		}
		c.uploaded(&s)
	case uploadingSegments:
		if command != uploadSegmentAnswer {
			return false
		}
		c.uploadedSegment(&s)
	}
	return true
}

func (c *Client) aborted(s *sdo) bool {
	if s.index != c.index || s.sub != c.sub {
		segments := c.doing == downloadingSegments || c.doing == uploadingSegments
		if !segments || s.index != 0 { // some name no object in the middle of segments
			return false
		}
	}
	c.fail(Abort(s.word))
	return true
}

// nextSegment sends more of a download, or ends it.
func (c *Client) nextSegment() {
	if c.at == len(c.data) {
		c.doing = idle
		return
	}
	n := min(len(c.data)-c.at, c.room-HeaderSize-coeSize-1)
	command := downloadSegment | c.toggle | unused(n, leastSegment)<<1
	if c.at+n == len(c.data) {
		command |= lastSegment
	}
	c.doing = downloadingSegments
	c.send(newMail(serviceRequest).segment(command, c.data[c.at:c.at+n]))
	c.at += n
}

func (c *Client) uploaded(s *sdo) {
	if data, ok := s.expeditedData(); ok {
		c.data, c.doing = append([]byte{}, data...), idle
		return
	}
	if s.word > MostData {
		c.giveUp(AbortMemory, ErrTooLong)
		return
	}
	c.size = int(s.word)
	c.data = append([]byte{}, s.data[:min(len(s.data), c.size)]...)
	if len(c.data) == c.size {
		c.doing = idle
		return
	}
	c.doing = uploadingSegments
	c.send(newMail(serviceRequest).sdo(uploadSegment, 0, 0, 0))
}

func (c *Client) uploadedSegment(s *sdo) {
	if s.command&toggleBit != c.toggle {
		c.giveUp(AbortToggle, AbortToggle)
		return
	}
	data := s.segmentData()
	if len(c.data)+len(data) > c.size {
		c.giveUp(AbortLengthHigh, ErrTooLong)
		return
	}
	c.data = append(c.data, data...)
	switch last := s.command&lastSegment != 0; {
	case last && len(c.data) < c.size:
		c.fail(AbortLengthLow)
	case last:
		c.doing = idle
	case len(data) == 0: // would go on for ever
		c.giveUp(AbortGeneral, ErrNotUnderstood)
	default:
		c.toggle ^= toggleBit
		c.send(newMail(serviceRequest).sdo(uploadSegment|c.toggle, 0, 0, 0))
	}
}

// informed takes a fragment of SDO information.
func (c *Client) informed(body []byte) bool {
	if len(body) < infoSize {
		return false
	}
	is, left := opcode(body[0]&^moreFollow), int(binary.LittleEndian.Uint16(body[2:]))
	data := body[infoSize:]
	switch {
	case is == infoError:
		if len(data) < 4 {
			return false
		}
		c.fail(Abort(binary.LittleEndian.Uint32(data)))
		return true
	case is != c.info || c.left >= 0 && left != c.left-1:
		return false
	case c.left < 0 && !c.aboutMine(data):
		return false
	case len(c.data)+len(data) > MostData:
		c.fail(ErrTooLong)
		return true
	}
	c.data, c.left = append(c.data, data...), left
	if body[0]&moreFollow == 0 || left == 0 {
		c.informedOfAll()
	}
	return true
}

// aboutMine reports whether the first fragment is about what was asked for, and not a late answer to something else.
func (c *Client) aboutMine(data []byte) bool {
	switch c.info {
	case objectResponse:
		o, ok := parseObject(data)
		return !ok || o.Index == c.index
	case entryResponse:
		e, ok := parseEntry(data)
		return !ok || e.Index == c.index && e.Sub == c.sub
	}
	return true
}

func (c *Client) informedOfAll() {
	c.doing = idle
	switch c.info {
	case listResponse:
		for b := c.data[min(len(c.data), 2):]; len(b) >= 2; b = b[2:] {
			c.listed = append(c.listed, binary.LittleEndian.Uint16(b))
		}
	case objectResponse:
		if _, ok := c.Described(); !ok {
			c.fail(ErrNotUnderstood)
		}
	case entryResponse:
		if _, ok := c.DescribedEntry(); !ok {
			c.fail(ErrNotUnderstood)
		}
	}
}

package coe

import "encoding/binary"

// Dictionary is the objects that a Server answers for. An Abort of zero is none.
type Dictionary interface {
	// Read returns an entry, or with complete access all of them from a subindex on.
	Read(index uint16, sub uint8, complete bool) ([]byte, Abort)
	Write(index uint16, sub uint8, complete bool, data []byte) Abort

	// Objects, Object and Entry are what SDO information returns.
	Objects(list List) []uint16
	Object(index uint16) (Object, Abort)
	Entry(index uint16, sub uint8) (Entry, Abort)
}

// Server answers the mails of a master.
type Server struct {
	Dictionary Dictionary
	NoInfo     bool // knows nothing of SDO information

	room    int // of a mail that is sent
	heard   uint8
	sent    uint8
	replies [][]byte

	// The transfer that goes on in segments.
	index    uint16
	sub      uint8
	complete bool
	data     []byte
	size     int // of a download
	toggle   byte
	sending  bool
	taking   bool
}

// NewServer makes a server whose answers have at most the size of the area that the master reads.
func NewServer(d Dictionary, size int) *Server { return &Server{Dictionary: d, room: size} }

// Reset forgets mails and transfers, like a slave that goes through Init.
func (s *Server) Reset() {
	*s = Server{Dictionary: s.Dictionary, NoInfo: s.NoInfo, room: s.room}
}

// Next returns the mail that the master reads next.
func (s *Server) Next() (mail []byte, ok bool) {
	if len(s.replies) == 0 {
		return nil, false
	}
	mail = s.replies[0]
	s.replies = s.replies[1:]
	return mail, true
}

// Handle takes a mail of the master.
func (s *Server) Handle(m []byte) {
	h, ok := ParseHeader(m)
	switch {
	case !ok:
		s.refuse(MailInvalidSize)
		return
	case h.Counter != 0 && h.Counter == s.heard:
		return // repeated, since an acknowledgement was lost
	}
	s.heard = h.Counter
	if h.Type != TypeCoE {
		s.refuse(MailProtocol)
		return
	}
	_, kind, body, ok := parseCoE(m)
	if !ok {
		s.refuse(MailTooShort)
		return
	}
	switch {
	case kind == serviceRequest:
		s.transfer(body)
	case kind == serviceInfo && !s.NoInfo:
		s.inform(body)
	default:
		s.refuse(MailService)
	}
}

// Emergency sends the master a message that it did not ask for.
func (s *Server) Emergency(e Emergency) {
	m := newMail(serviceEmergency).word(e.Code).add(e.Register)
	s.reply(m.add(e.Data[:]...))
}

// MostReplies bounds what waits for a master that does not read.
const MostReplies = 1 << 12

func (s *Server) reply(m *mail) { s.replyAs(m, TypeCoE) }

func (s *Server) replyAs(m *mail, t Type) {
	if len(s.replies) >= MostReplies {
		return
	}
	s.sent = NextCounter(s.sent)
	s.replies = append(s.replies, m.complete(t, s.sent))
}

func (s *Server) refuse(e MailError) {
	m := &mail{make([]byte, HeaderSize)}
	s.replyAs(m.word(errorReply).word(uint16(e)), TypeError)
}

// abort ends a transfer. Whichever side aborts, it does so by an SDO request (ETG.1000.6 §5.6.2.7.1, table 40).
func (s *Server) abort(index uint16, sub uint8, a Abort) {
	s.sending, s.taking, s.data = false, false, nil
	s.reply(newMail(serviceRequest).sdo(abortTransfer, index, sub, uint32(a)))
}

// transfer takes an SDO.
func (s *Server) transfer(body []byte) {
	r, ok := parseSDO(body)
	if !ok {
		s.refuse(MailTooShort)
		return
	}
	switch r.command & commandMask {
	case uploadInitiate:
		s.upload(&r)
	case uploadSegment:
		s.uploadSegment(&r)
	case downloadInitiate:
		s.download(&r)
	case downloadSegment:
		s.downloadSegment(&r)
	case abortTransfer: // is not answered
		s.sending, s.taking, s.data = false, false, nil
	default:
		s.abort(r.index, r.sub, AbortCommand)
	}
}

// begin forgets a transfer that was under way. Complete access begins at subindex 0 or 1.
func (s *Server) begin(r *sdo) (ok bool) {
	s.index, s.sub, s.complete = r.index, r.sub, r.command&completeBit != 0
	s.sending, s.taking, s.data, s.toggle = false, false, nil, 0
	if s.complete && s.sub > 1 {
		s.abort(s.index, s.sub, AbortAccess)
		return false
	}
	return true
}

func (s *Server) upload(r *sdo) {
	if !s.begin(r) {
		return
	}
	data, abort := s.Dictionary.Read(r.index, r.sub, s.complete)
	if abort != 0 {
		s.abort(r.index, r.sub, abort)
		return
	}
	command := byte(uploadInitiateAnswer | sizeGiven)
	if s.complete {
		command |= completeBit
	}
	if n := len(data); n > 0 && n <= shortData {
		var word [shortData]byte
		copy(word[:], data)
		s.reply(newMail(serviceResponse).sdo(command|expedited|unused(n, shortData)<<2, r.index, r.sub, binary.LittleEndian.Uint32(word[:])))
		return
	}
	first := min(len(data), max(0, s.room-SmallestMailbox))
	s.reply(newMail(serviceResponse).sdo(command, r.index, r.sub, uint32(len(data))).add(data[:first]...))
	if first < len(data) {
		s.data, s.sending = append([]byte{}, data[first:]...), true
	}
}

func (s *Server) uploadSegment(r *sdo) {
	switch {
	case !s.sending:
		s.abort(s.index, s.sub, AbortCommand)
		return
	case r.command&toggleBit != s.toggle:
		s.abort(s.index, s.sub, AbortToggle)
		return
	}
	n := min(len(s.data), max(leastSegment, s.room-HeaderSize-coeSize-1))
	command := uploadSegmentAnswer | s.toggle | unused(n, leastSegment)<<1
	if n == len(s.data) {
		command |= lastSegment
	}
	s.reply(newMail(serviceResponse).segment(command, s.data[:n]))
	s.data, s.toggle = s.data[n:], s.toggle^toggleBit
	s.sending = len(s.data) > 0
}

func (s *Server) download(r *sdo) {
	if !s.begin(r) {
		return
	}
	if data, ok := r.expeditedData(); ok {
		s.taken(data)
		return
	}
	switch {
	case r.word > MostData:
		s.abort(r.index, r.sub, AbortMemory)
	case len(r.data) >= int(r.word):
		s.taken(r.data[:r.word])
	default:
		s.data, s.size, s.taking = append([]byte{}, r.data...), int(r.word), true
		s.confirm()
	}
}

func (s *Server) confirm() {
	command := byte(downloadInitiateAnswer)
	if s.complete {
		command |= completeBit
	}
	s.reply(newMail(serviceResponse).sdo(command, s.index, s.sub, 0))
}

// taken writes what has come in one mail.
func (s *Server) taken(data []byte) {
	if abort := s.Dictionary.Write(s.index, s.sub, s.complete, data); abort != 0 {
		s.abort(s.index, s.sub, abort)
		return
	}
	s.confirm()
}

func (s *Server) downloadSegment(r *sdo) {
	switch {
	case !s.taking:
		s.abort(s.index, s.sub, AbortCommand)
		return
	case r.command&toggleBit != s.toggle:
		s.abort(s.index, s.sub, AbortToggle)
		return
	}
	s.data = append(s.data, r.segmentData()...)
	last := r.command&lastSegment != 0
	switch {
	case len(s.data) > s.size:
		s.abort(s.index, s.sub, AbortLengthHigh)
		return
	case last && len(s.data) < s.size:
		s.abort(s.index, s.sub, AbortLengthLow)
		return
	}
	answer := downloadSegmentAnswer | s.toggle
	s.toggle ^= toggleBit
	if last {
		data := s.data
		s.taking, s.data = false, nil
		if abort := s.Dictionary.Write(s.index, s.sub, s.complete, data); abort != 0 {
			s.abort(s.index, s.sub, abort)
			return
		}
	}
	s.reply(newMail(serviceResponse).sdo(answer, 0, 0, 0))
}

// inform takes a question of SDO information.
func (s *Server) inform(body []byte) {
	if len(body) < infoSize+2 {
		s.refuse(MailTooShort)
		return
	}
	is, data := opcode(body[0]&^moreFollow), body[infoSize:]
	index := binary.LittleEndian.Uint16(data)
	switch is {
	case listRequest:
		s.list(List(index))
	case objectRequest:
		o, abort := s.Dictionary.Object(index)
		m := (&mail{}).word(o.Index).word(uint16(o.Type)).add(o.MaxSub, byte(o.Code)).text(o.Name)
		s.tell(objectResponse, m.b, abort)
	case entryRequest:
		if len(data) < 3 {
			s.refuse(MailTooShort)
			return
		}
		e, abort := s.Dictionary.Entry(index, data[2])
		m := (&mail{}).word(e.Index).add(e.Sub, 0).word(uint16(e.Type)).word(e.Bits).word(uint16(e.Access)).text(e.Name)
		s.tell(entryResponse, m.b, abort)
	default:
		s.tell(is, nil, AbortCommand)
	}
}

func (s *Server) list(list List) {
	if list >= lists {
		s.tell(listResponse, nil, AbortCommand)
		return
	}
	m := (&mail{}).word(uint16(list))
	if list == ListCounts {
		for l := ListAll; l < lists; l++ {
			m.word(uint16(len(s.Dictionary.Objects(l))))
		}
	} else {
		for _, index := range s.Dictionary.Objects(list) {
			m.word(index)
		}
	}
	s.tell(listResponse, m.b, 0)
}

// tell answers in as many fragments as needed.
func (s *Server) tell(o opcode, data []byte, a Abort) {
	if a != 0 {
		s.reply(newMail(serviceInfo).add(byte(infoError), 0, 0, 0).add(binary.LittleEndian.AppendUint32(nil, uint32(a))...))
		return
	}
	most := max(2, (s.room-HeaderSize-coeSize-infoSize)&^1) // no object is torn apart
	for left := max(0, (len(data)-1)/most); left >= 0; left-- {
		n := min(len(data), most)
		head := byte(o)
		if left > 0 {
			head |= moreFollow
		}
		s.reply(newMail(serviceInfo).add(head, 0).word(uint16(left)).add(data[:n]...))
		data = data[n:]
	}
}

package coe

import (
	"encoding/binary"
	"fmt"
)

// HeaderSize is the size of the header of a mail.
const HeaderSize = 6

// SmallestMailbox is the size below which nothing of CoE fits into a mailbox.
const SmallestMailbox = HeaderSize + coeSize + sdoSize

// Type is the protocol of a mail (ETG.1000.4 table 29).
type Type uint8

// Types.
const (
	TypeError Type = 0
	TypeAoE   Type = 1
	TypeEoE   Type = 2
	TypeCoE   Type = 3
	TypeFoE   Type = 4
	TypeSoE   Type = 5
	TypeVoE   Type = 15
)

// Header stands before every mail.
type Header struct {
	Length   uint16 // of what follows
	Address  uint16 // of the sender, 0 for the master
	Channel  uint8
	Priority uint8
	Type     Type
	Counter  uint8 // 1 to 7; one that comes twice is of a mail that was repeated. 0 is of those who do not count
}

// ParseHeader reads the header of a mail, or reports that the mail is shorter than it says.
func ParseHeader(mail []byte) (h Header, ok bool) {
	if len(mail) < HeaderSize {
		return Header{}, false
	}
	h = Header{
		Length: binary.LittleEndian.Uint16(mail), Address: binary.LittleEndian.Uint16(mail[2:]),
		Channel: mail[4] & 0x3f, Priority: mail[4] >> 6, Type: Type(mail[5] & 0x0f), Counter: mail[5] >> 4 & 7,
	}
	return h, int(h.Length) <= len(mail)-HeaderSize
}

// Put writes the header into at least HeaderSize bytes.
func (h Header) Put(mail []byte) {
	binary.LittleEndian.PutUint16(mail, h.Length)
	binary.LittleEndian.PutUint16(mail[2:], h.Address)
	mail[4] = h.Channel&0x3f | h.Priority<<6
	mail[5] = byte(h.Type)&0x0f | h.Counter&7<<4
}

// NextCounter returns the counter of the next mail.
func NextCounter(c uint8) uint8 { return c%7 + 1 }

// MailError is the answer to a mail that could not be understood (ETG.1000.4 table 30).
type MailError uint16

// Errors of mail.
const (
	MailSyntax      MailError = 1
	MailProtocol    MailError = 2 // not spoken here
	MailChannel     MailError = 3
	MailService     MailError = 4
	MailHeader      MailError = 5
	MailTooShort    MailError = 6
	MailNoMemory    MailError = 7
	MailInvalidSize MailError = 8
)

var mailErrors = map[MailError]string{
	MailSyntax: "its syntax is wrong", MailProtocol: "the protocol is not spoken", MailChannel: "there is no such channel",
	MailService: "the service is not supported", MailHeader: "its header is wrong", MailTooShort: "it is too short",
	MailNoMemory: "there is no memory for it", MailInvalidSize: "its size is wrong",
}

func (e MailError) Error() string {
	if text, ok := mailErrors[e]; ok {
		return "mail was refused: " + text
	}
	return fmt.Sprintf("mail was refused: 0x%04x", uint16(e))
}

// errorReply is the type of an error in the body of its mail.
const errorReply = 1

// parseMailError reads the body of a mail of TypeError. One that is empty, as of a mailbox that was never filled, is none.
func parseMailError(body []byte) (e MailError, ok bool) {
	if len(body) < 4 || binary.LittleEndian.Uint16(body) != errorReply {
		return 0, false
	}
	return MailError(binary.LittleEndian.Uint16(body[2:])), true
}

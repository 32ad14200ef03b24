package device

import (
	"encoding/base64"
	"encoding/xml"
)

// File is a file that a device has for others, such as a program for the controller of its robot. It has a text, or data.
type File struct {
	Name string `xml:"name,attr" json:"name"` // one word, without folders
	Doc  string `xml:"doc,attr" json:"doc"`   // what it is and where it belongs
	Text string `xml:",chardata" json:"text"`
	Data Data   `xml:"data,omitempty" json:"data,omitempty"`
}

// Contents returns the bytes of the file.
func (f *File) Contents() []byte {
	if f.Data != nil {
		return f.Data
	}
	return []byte(f.Text)
}

// Data is the content of a binary file. XML and JSON have it in base64; at its own address the file is served unchanged.
type Data []byte

// MarshalText writes base64.
func (d Data) MarshalText() ([]byte, error) { return base64.StdEncoding.AppendEncode(nil, d), nil }

// Files is the view of a page with files.
type Files struct {
	XMLName xml.Name `xml:"files" json:"-"`
	Files   []File   `xml:"file" json:"files"`
}

// FilesPage returns a page of a device that has files; they are made on request.
func FilesPage[D any](path, doc string, of func(d D) ([]File, error)) Page {
	return DeclarePage(Sheet[D, Nothing]{
		Path: path, Doc: doc,
		Show: func(d D, _ Question) (any, error) {
			list, err := of(d)
			return Files{Files: list}, err
		},
	})
}

package device

import "encoding/xml"

// File is a file that a device has for others, such as a program for the controller of its robot.
type File struct {
	Name string `xml:"name,attr" json:"name"` // one word, without folders
	Doc  string `xml:"doc,attr" json:"doc"`   // what it is and where it belongs
	Text string `xml:",chardata" json:"text"`
}

// Files is what a page shows that has files.
type Files struct {
	XMLName xml.Name `xml:"files" json:"-"`
	Files   []File   `xml:"file" json:"files"`
}

// FilesPage is a page of a device that has files; they are made when somebody asks for them.
func FilesPage[D any](path, doc string, of func(d D) ([]File, error)) Page {
	return DeclarePage(Sheet[D, Nothing]{
		Path: path, Doc: doc,
		Show: func(d D, _ Question) (any, error) {
			list, err := of(d)
			return Files{Files: list}, err
		},
	})
}

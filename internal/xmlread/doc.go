// Package xmlread reads documents in XML 1.0 from outside: it takes a text and gives its elements and character data one after
// another, without a copy of what needs none. It is for the XML that programs send and people write, and bounded in everything:
//
//   - Document type declarations are refused, so the only entities are the five of XML, and numbers of characters.
//   - Elements have at most MostAttributes attributes and are nested at most as deep as the caller allows.
//   - Documents are UTF-8, with or without a byte order mark. They may declare that, or US-ASCII, ISO-8859-1, ISO-8859-15 or
//     windows-1252 as long as they are nothing but ASCII, as libraries declare these without being told. Everything else is refused.
//
// It takes the same documents as encoding/xml does when that is strict, in the same pieces; the tests compare the two. It is stricter
// in refusing what stands above, halves of characters (&#xD800;), which encoding/xml replaces, and XML declarations elsewhere than at
// the beginning. Names are those of the fifth edition of XML 1.0, of which encoding/xml has an older and smaller set beyond ASCII.
// Comments and processing instructions are passed over. ADR 42 has why it is not encoding/xml.
//
// The caller knows the document, so the caller checks which elements may stand where, that there is one root, and that no attribute is
// given twice.
package xmlread

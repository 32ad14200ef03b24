// Package xmlnet reads and writes nets in their XML form (§7.6.2, appendix A.1), which has the same tree as the text form
// of package grammar:
//
//	<rpinet>
//	  <fragment id="twice">
//	    <module id="sum" type="Core::DoubleAdd">
//	      <port name="inFirst" frommodule="twice" fromport="inValue"/>
//	      <port name="inSecond" frommodule="twice" fromport="inValue" debug="2.0"/>
//	    </module>
//	    <inport name="inValue" frommodule="number" fromport="outValue"/>
//	    <outport name="outValue" frommodule="sum" fromport="outValue"/>
//	  </fragment>
//	  <module id="number" type="Core::DoubleValue">
//	    <parameter name="Value" value="21"/>
//	  </module>
//	  <outport name="outTerminate" frommodule="never" fromport="outValue"/>
//	</rpinet>
//
// is, in text form,
//
//	{twice={sum=Core::DoubleAdd(inFirst=parent.inValue,inSecond[2.0]=parent.inValue),
//	outValue=sum.outValue}(inValue=number.outValue),
//	number=Core::DoubleValue(Value='21'),outTerminate=never.outValue}
//
// The parser reads all spellings of existing clients and of the dissertation: primitive and module, fromprimitive and
// frommodule, port, inport and inPort, outport and outPort; elements in any order; in the namespace of the dissertation
// or in none. Elements of other namespaces are skipped, as are comments and processing instructions. Anything else is
// refused. The schema docs/net.xsd says the same for tools.
//
// The inside of a fragment refers to the in ports of the fragment by the name of the fragment, as the dissertation
// does it in listing 7.1, or by the word parent, as the text form does. If a node inside has the name of the fragment,
// the name means that node.
//
// Documents are UTF-8, with or without a byte order mark. They may declare that, or US-ASCII, ISO-8859-1, ISO-8859-15 or
// windows-1252 as long as they are nothing but ASCII; other encodings are refused. There are no document type
// declarations and hence no entities but the five of XML: no text can make a reader grow without bound or fetch files.
// XML 1.0 has no place for most control characters, so a net whose parameters have some cannot be written. Line breaks
// and tabs in values are kept as they are.
//
// Anonymous nodes of the text form are written out with names of their own.
package xmlnet

// Package quadcopter has the primitives of everything that flies (device.Quadcopter, §11.2.3): where a tracking system sees it, its
// compass, attitudes for it, and how an acceleration becomes an attitude; and the page that every quadcopter has.
//
// QC::Control claims the quadcopter, so that two nets with the same one cannot run at the same time (§6.2). Within a net several may
// stand for it, but only one may have values in a cycle: of several, none is commanded, and all say so.
package quadcopter

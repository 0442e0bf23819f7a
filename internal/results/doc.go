// Package results reads finished runs back from their folders and makes figures of them. [Kinds]
// lists the figures; the report shows them in a page, qbb plot writes them as files.
package results

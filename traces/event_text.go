package traces

import (
	"strconv"

	"github.com/qbb-sim/qbb/core"
)

var eventNames = [...]string{core.EventRecv: "Recv", core.EventEnqueue: "Enqu", core.EventDequeue: "Dequ", core.EventDrop: "Drop"}

// kindLetters names kinds of packet in the text form: U, A, N and P as in the reference.
const kindLetters = "UANPCMGROW"

// AppendEventText appends the line of text for a record as an EventReader returns it.
func AppendEventText(dst []byte, r *core.Record) []byte {
	p := &r.Packet
	dst = strconv.AppendInt(dst, r.At.Nanos(), 10)
	dst = append(dst, " n:"...)
	dst = strconv.AppendInt(dst, int64(r.Node), 10)
	dst = appendInt(dst, ' ', int64(r.Port)+1)
	dst = appendInt(dst, ':', int64(r.Queue))
	dst = appendInt(dst, ' ', int64(r.Depth))
	dst = append(dst, ' ')
	dst = append(dst, eventNames[r.Event]...)
	dst = append(dst, " ecn:"...)
	if p.Flags&core.CE != 0 {
		dst = strconv.AppendInt(dst, ecnCE, 10)
	} else {
		dst = append(dst, '0')
	}
	dst = append(dst, ' ')
	dst = appendHex32(dst, core.Address(p.Src))
	dst = append(dst, ' ')
	dst = appendHex32(dst, core.Address(p.Dst))
	dst = appendInt(dst, ' ', int64(p.SrcPort))
	dst = appendInt(dst, ' ', int64(p.DstPort))
	dst = append(dst, ' ', kindLetters[p.Kind])
	switch p.Kind {
	case core.Data:
		dst = appendInt(dst, ' ', p.Seq)
		dst = appendInt(dst, ' ', p.Sent.Nanos())
		dst = appendInt(dst, ' ', int64(p.Prio))
		dst = appendInt(dst, ' ', int64(p.Size))
		dst = appendInt(dst, '(', int64(p.Payload))
		dst = append(dst, ')')
	case core.Pause:
		dst = append(dst, " 0x"...)
		dst = strconv.AppendUint(dst, p.Aux, 16)
		dst = appendInt(dst, ' ', int64(p.Size))
	default:
		if p.Flags&core.ECE != 0 {
			dst = append(dst, " 0x01"...)
		} else {
			dst = append(dst, " 0x00"...)
		}
		dst = appendInt(dst, ' ', int64(p.Prio))
		dst = appendInt(dst, ' ', p.Seq)
		dst = appendInt(dst, ' ', p.Sent.Nanos())
		dst = appendInt(dst, ' ', int64(p.Size))
	}
	return append(dst, '\n')
}

func appendInt(dst []byte, before byte, v int64) []byte {
	return strconv.AppendInt(append(dst, before), v, 10)
}

package tcp

import (
	"github.com/qbb-sim/qbb/algorithms"
)

// scheme is any TCP without its own receiver.
type scheme struct {
	traits algorithms.Traits
	sender func() algorithms.Sender
}

func newScheme(name string, sender func() algorithms.Sender) *scheme {
	hears := algorithms.Hears(algorithms.Ack, algorithms.Loss)
	return &scheme{algorithms.Traits{Name: name, Hears: hears, Needs: algorithms.AckPerData}, sender}
}

func (s *scheme) Traits() algorithms.Traits        { return s.traits }
func (s *scheme) NewSender() algorithms.Sender     { return s.sender() }
func (s *scheme) NewReceiver() algorithms.Receiver { return nil }
func (s *scheme) NewMarker() algorithms.Marker     { return nil }

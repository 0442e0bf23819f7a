package sim

import "github.com/qbb-sim/qbb/internal/refrand"

// commonRandom are the sequences of the reference.
type commonRandom struct {
	mark *refrand.FirstOfEach
	loss *refrand.Stream
	c    *refrand.CRand
}

func newCommonRandom(s *Setup) *commonRandom {
	stream := uint64(6*len(s.Topology.Kinds) + 2)
	for _, l := range s.Topology.Links {
		if l.Loss > 0 {
			stream += 2
		}
	}
	return &commonRandom{
		mark: refrand.NewFirstOfEach(stream),
		loss: refrand.NewStream(lossStream),
		c:    refrand.NewCRand(1),
	}
}

// lossStream is the number of the reference's stream for losses.
const lossStream = 1<<63 + 50

package rcc

import (
	"go.uber.org/zap"

	"github.com/softrobot-rcc/rccd/rcc/extension"
)

// FollowExtensions checks whether the files of loaded extensions have changed, and loads them again when they have not changed
// since its last check, so that it does not read half-written files. If a new version is refused the old one stays, and the new
// one is tried again when its files or another extension have changed.
func (c *Core) FollowExtensions() {
	c.extending.Lock()
	defer c.extending.Unlock()
	before, changed := c.seen, false
	c.seen = map[string]extension.Stamp{}
	for _, e := range c.world.Load().mine {
		now := c.cfg.Folder.Stamp(e.ID)
		c.seen[e.ID] = now
		if now == e.stamp || now != before[e.ID] || now == extension.NoFiles {
			continue
		}
		e.stamp = now
		if err := c.bring(e.ID, e); err != nil {
			c.log.Warn("extension not replaced, its old version stays", zap.String("extension", e.ID), zap.Error(err))
		} else {
			changed = true
		}
	}
	if changed {
		c.tryAgain()
	}
}

// tryAgain makes the next look take extensions for changed whose files were refused: what they are written with may fit
// now. extending is held.
func (c *Core) tryAgain() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range c.world.Load().mine {
		if c.refused[e.ID] != nil {
			e.stamp = extension.NoFiles
		}
	}
}

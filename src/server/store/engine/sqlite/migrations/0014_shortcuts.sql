-- 1: this person wants no shortcuts of single keys (WCAG 2.1.4): software for speech input types them by itself.
ALTER TABLE users ADD COLUMN shortcuts_off INTEGER NOT NULL DEFAULT 0;

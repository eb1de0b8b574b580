-- Parts of uploads, under the SHA-1 of their bytes, until an artifact bundle has been made of them.
CREATE TABLE artifact_chunks (
  organization_id INTEGER NOT NULL,
  checksum BLOB NOT NULL,
  received_at INTEGER NOT NULL,
  byte_count INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (organization_id, checksum)
) STRICT;

CREATE INDEX artifact_chunks_age ON artifact_chunks (received_at);

-- What a tool uploaded at once: the files of one build, mostly.
CREATE TABLE artifact_bundles (
  project_id INTEGER NOT NULL,
  -- Made by the application.
  id INTEGER NOT NULL,
  -- SHA-1 of the archive.
  checksum BLOB NOT NULL,
  -- Empty: found by debug ids alone.
  release TEXT NOT NULL,
  dist TEXT NOT NULL,
  uploaded_at INTEGER NOT NULL,
  -- When something was mapped with it last, to the day; before that, when it was uploaded.
  used_at INTEGER NOT NULL,
  -- 0 while its files are being stored: nothing is found in it.
  is_complete INTEGER NOT NULL,
  file_count INTEGER NOT NULL,
  stored_bytes INTEGER NOT NULL,
  PRIMARY KEY (project_id, id)
) STRICT;

CREATE INDEX artifact_bundles_release ON artifact_bundles (project_id, release, uploaded_at);
CREATE INDEX artifact_bundles_age ON artifact_bundles (project_id, uploaded_at);

CREATE TABLE artifact_files (
  project_id INTEGER NOT NULL,
  -- When the row of the bundle is gone, so are its files: retention takes them off the disk.
  bundle_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  -- source_map, minified_source …: as the manifest says.
  kind TEXT NOT NULL,
  -- ~/assets/app.js
  url TEXT NOT NULL,
  debug_id BLOB,
  -- Of minified code: where its source map is, as the manifest says.
  source_map_url TEXT,
  -- Of the file itself.
  byte_count INTEGER NOT NULL,
  -- Of data; 0 where the file is listed only.
  stored_bytes INTEGER NOT NULL,
  -- The source map as one zstd frame.
  data BLOB,
  PRIMARY KEY (project_id, bundle_id, number)
) STRICT;

CREATE INDEX artifact_files_debug_id ON artifact_files (project_id, debug_id) WHERE debug_id IS NOT NULL;
CREATE INDEX artifact_files_url ON artifact_files (project_id, bundle_id, url);

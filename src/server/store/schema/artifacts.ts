/** Uploaded source maps. */
export interface ArtifactTables {
  artifact_chunks: ArtifactChunksTable
  artifact_bundles: ArtifactBundlesTable
  artifact_files: ArtifactFilesTable
}

interface ArtifactChunksTable {
  organization_id: number
  checksum: Uint8Array
  received_at: number
  byte_count: number
  data: Uint8Array
}

interface ArtifactBundlesTable {
  project_id: number
  id: number
  checksum: Uint8Array
  release: string
  dist: string
  uploaded_at: number
  used_at: number
  is_complete: number
  file_count: number
  stored_bytes: number
}

interface ArtifactFilesTable {
  project_id: number
  bundle_id: number
  number: number
  kind: string
  url: string
  debug_id: Uint8Array | null
  source_map_url: string | null
  byte_count: number
  stored_bytes: number
  data: Uint8Array | null
}

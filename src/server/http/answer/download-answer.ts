/** Characters that are invalid in file names, lead to another folder, or change the reading direction. */
const unsafeCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"*/:<>?\\|]/gu

/**
 * The download of an untrusted file: no browser displays it or runs scripts in it. It is sent as opaque
 * bytes, as an attachment, sandboxed. A missing file is a 404.
 */
export function answerDownload(file: { name: string; bytes: Uint8Array } | undefined): Response {
  if (file === undefined) return Response.json({ detail: 'not found' }, { status: 404 })
  return new Response(Buffer.from(file.bytes), {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(file.bytes.byteLength),
      'content-disposition': contentDisposition(file.name),
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}

/** RFC 6266: the name in UTF-8, and in ASCII for old clients. */
function contentDisposition(name: string): string {
  const safe =
    name.toWellFormed().replaceAll(unsafeCharacters, '_').replace(/^\.+/, '_').trim() || 'attachment'
  const ascii = safe.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll('%', '_')
  const encoded = encodeURIComponent(safe).replaceAll(/['()*]/g, percentEncode)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}

/** RFC 5987 requires escapes for some characters that `encodeURIComponent` does not encode. */
function percentEncode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** Culvert's mark: a road, an arch under it, and a stream through it. Decorative: the name is next to it. */
export function BrandMark() {
  return (
    <svg className="brand-mark" viewBox="0 0 24 24" width="22" height="22" fill="none" aria-hidden="true">
      <path className="brand-mark-road" d="M1.5 3.5h21" />
      <path className="brand-mark-arch" d="M4 20.5V15a8 8 0 0 1 16 0v5.5" />
      <path
        className="brand-mark-stream"
        d="M8 15.5c1.33-1.1 2.67-1.1 4 0s2.67 1.1 4 0M8 19.5c1.33-1.1 2.67-1.1 4 0s2.67 1.1 4 0"
      />
    </svg>
  )
}

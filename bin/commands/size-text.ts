/** Formats a size in decimal units: `512 B`, `4.0 kB`, `1.3 GB`. */
export function sizeText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const
  let size = bytes
  for (const unit of units) {
    if (size < 1000) return `${unit === 'B' ? size : size.toFixed(1)} ${unit}`
    size /= 1000
  }
  return `${size.toFixed(1)} PB`
}

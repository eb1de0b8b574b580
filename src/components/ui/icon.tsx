import {
  ArrowDown,
  ArrowLeft,
  ArrowRight,
  Bookmark,
  Bot,
  Check,
  ChevronDown,
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  Copy,
  Download,
  Ellipsis,
  ExternalLink,
  FileText,
  Link,
  Paperclip,
  Plus,
  Search,
  Undo2,
  X,
} from 'lucide'
import { createElement } from 'react'

const icons = {
  'arrow-down': ArrowDown,
  'arrow-left': ArrowLeft,
  'arrow-right': ArrowRight,
  bookmark: Bookmark,
  bot: Bot,
  check: Check,
  'chevron-down': ChevronDown,
  'chevron-first': ChevronFirst,
  'chevron-last': ChevronLast,
  'chevron-left': ChevronLeft,
  'chevron-right': ChevronRight,
  copy: Copy,
  download: Download,
  ellipsis: Ellipsis,
  'external-link': ExternalLink,
  'file-text': FileText,
  link: Link,
  paperclip: Paperclip,
  plus: Plus,
  search: Search,
  undo: Undo2,
  x: X,
}

/** The elements of each icon, created once. */
const shapes = new Map(
  Object.entries(icons).map(([name, node]) => [
    name,
    node.map(([tag, attributes], index) => createElement(tag, { ...attributes, key: index })),
  ]),
)

/** An icon next to a text or in a button with a name. Lines and colours are set in `marks.css`. */
export function Icon({ name, size = 14 }: { name: keyof typeof icons; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      {shapes.get(name)}
    </svg>
  )
}

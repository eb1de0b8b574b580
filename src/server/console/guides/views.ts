/** A guide in a list. */
export interface GuideLink {
  /** Its name in the URL: `alerts` in `/docs/alerts`. */
  name: string
  title: string
}

/** A guide that a search found, or one of its headings. */
export interface GuideMatch extends GuideLink {
  section?: { id: string; title: string }
}

/** A page of the documentation. */
export interface GuideView extends GuideLink {
  nodes: GuideNode[]
  /** Second-level headings, for links to them. */
  sections: { id: string; title: string }[]
  /** All guides. */
  groups: GuideGroup[]
}

/** A section of the documentation's index. */
export interface GuideGroup {
  title: string
  /** In the order of the index, with its titles. */
  guides: GuideLink[]
}

/** A piece of a guide. */
export type GuideNode =
  | { kind: 'text'; text: string }
  | { kind: 'element'; tag: string; id?: string; children: GuideNode[] }
  /** A link to a web page, or to a heading of this page (`#…`). */
  | { kind: 'link'; href: string; children: GuideNode[] }
  /** A link to another guide. */
  | { kind: 'guide'; name: string; hash?: string; children: GuideNode[] }

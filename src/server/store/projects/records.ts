export interface ProjectName {
  id: number
  slug: string
  name: string
  platform?: string
}

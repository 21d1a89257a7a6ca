import { Page } from '../../ui/page.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

export default function AdminPage() {
  return (
    <Page width="full">
      <PageHeader title="Admin Portal" />
    </Page>
  )
}

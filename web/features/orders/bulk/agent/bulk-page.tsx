import { useLocation } from 'wouter'
import { Page } from '../../../../ui/page.tsx'
import { BulkCheck } from './bulk-check.tsx'
import { BulkPaste } from './bulk-paste.tsx'
import { BulkSent } from './bulk-sent.tsx'
import { GroupPage } from './group-page.tsx'
import { OpenListPayment } from './open-list-payment.tsx'
import { PastLists } from './past-lists.tsx'
import { UnansweredBulk } from './unanswered-bulk.tsx'

/** Bulk orders: the list, its check, how it goes, earlier lists, and saved groups. */
export default function BulkPage() {
  const [path] = useLocation()
  return (
    <>
      <Page className="pb-0!">
        <UnansweredBulk />
        <OpenListPayment />
      </Page>
      <Screen path={path} />
    </>
  )
}

function Screen({ path }: { path: string }) {
  const [screen, id] = path.split('/').slice(3)
  if (screen === 'check') return <BulkCheck />
  if (screen === 'sent') return <BulkSent key={id} id={id} />
  if (screen === 'past') return <PastLists />
  if (screen === 'groups' && id) return <GroupPage key={id} id={id} />
  return <BulkPaste />
}

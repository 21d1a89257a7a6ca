import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { spacedPhone } from '../../../../shared/phones.ts'
import { call } from '../../../lib/api.ts'
import { messageOf } from '../../../lib/http.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { newsTexts } from '../../../texts/orders.ts'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { toast } from '../../../ui/toast.ts'

const newsQuery = queryOptions({ queryKey: ['news'], queryFn: ({ signal }) => call('GET /user/news', { signal }) })

/** Whether the customer gets text messages about their orders; shown where the shop sends them. */
export function NewsSwitch() {
  const { data } = useQuery(newsQuery)
  const [wanted, setWanted] = useState<boolean | null>(null)
  if (!data?.offered) return null

  const change = async (sms: boolean) => {
    setWanted(sms)
    try {
      queryClient.setQueryData(newsQuery.queryKey, await call('PUT /user/news', { body: { sms } }))
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setWanted(null)
    }
  }
  return (
    <SwitchField
      name="sms"
      label={newsTexts.sms}
      hint={newsTexts.smsTo(spacedPhone(data.phone))}
      checked={wanted ?? data.sms}
      onValue={(sms) => void change(sms)}
    />
  )
}

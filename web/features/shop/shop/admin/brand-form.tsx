import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { BRAND_NAMES, BRANDS, type BrandName } from '../../../../../shared/brands.ts'
import { MAX_IMAGE_BYTES } from '../../../../../shared/images.ts'
import type { ShopSettings } from '../../../../../shared/shop-settings.ts'
import { call } from '../../../../lib/api.ts'
import { fitImage, IMAGE_TYPES } from '../../../../lib/fit-image.ts'
import { messageOf } from '../../../../lib/http.ts'
import { Card } from '../../../../ui/admin/card.tsx'
import { Button } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { SignMark } from '../../../../ui/sign-mark.tsx'
import { toast } from '../../../../ui/toast.ts'
import { keepShopSettings } from './api.ts'

const NAMES: Record<BrandName, string> = { green: 'Green', blue: 'Blue', purple: 'Purple', wine: 'Wine', teal: 'Teal', ink: 'Ink' }

/** The shop's logo, and one colour of a few that everybody can read. */
export function BrandForm({ stored }: { stored: ShopSettings }) {
  const [busy, setBusy] = useState(false)
  const file = useRef<HTMLInputElement>(null)

  const save = async (send: () => Promise<{ shop: ShopSettings }>, done: string) => {
    setBusy(true)
    try {
      await keepShopSettings((await send()).shop)
      toast.success(done)
    } catch (error) {
      toast.danger(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const upload = async (chosen: File | undefined) => {
    if (!chosen) return
    const fitted = await fitImage(chosen, MAX_IMAGE_BYTES).catch(() => null)
    if (!fitted) return toast.danger('That file could not be read as a picture. Please upload another.')
    const done = ['Your logo is on every page now.', fitted.news].filter(Boolean).join(' ')
    await save(() => call('PUT /admin/shop/logo', { body: { image: fitted.uri } }), done)
  }

  return (
    <Card title="Logo and colours">
      <div className="flex flex-col gap-4 px-4 py-4">
        <div className="flex items-center gap-3">
          {stored.logo ? (
            <img src={stored.logo} alt="Your logo" className="size-12 rounded-box border border-line" />
          ) : (
            <SignMark className="size-12" />
          )}
          <div className="flex flex-wrap gap-2">
            <Button
              variant="secondary"
              busy={busy}
              icon={<Upload className="size-4.5" aria-hidden="true" />}
              onClick={() => file.current?.click()}
            >
              Upload logo
            </Button>
            {stored.logo && (
              <Button
                variant="quiet"
                disabled={busy}
                onClick={() => void save(() => call('PUT /admin/shop/logo', { body: { image: null } }), 'The usual sign is back')}
              >
                Remove
              </Button>
            )}
          </div>
          <input
            ref={file}
            type="file"
            accept={IMAGE_TYPES.join(',')}
            aria-label="Logo"
            className="sr-only"
            tabIndex={-1}
            onChange={({ currentTarget }) => {
              void upload(currentTarget.files?.[0])
              currentTarget.value = ''
            }}
          />
        </div>
        <fieldset>
          <legend className="text-body font-semibold">Colour</legend>
          <div className="mt-2 grid grid-cols-3 gap-2">
            {BRAND_NAMES.map((name) => (
              <label
                key={name}
                className={classNames(
                  'flex min-h-11 cursor-pointer items-center gap-2 rounded-box border px-2.5 text-body',
                  stored.brand === name ? 'border-brand-text bg-brand-soft font-semibold' : 'border-line-strong',
                )}
              >
                <input
                  type="radio"
                  name="brand"
                  value={name}
                  checked={stored.brand === name}
                  disabled={busy}
                  onChange={() =>
                    void save(
                      () => call('PUT /admin/shop', { body: { brand: name } }),
                      'Saved. Pages have the new colour when they are next opened',
                    )
                  }
                  className="sr-only"
                />
                <svg viewBox="0 0 16 16" className="size-4 shrink-0" aria-hidden="true">
                  <rect width="16" height="16" rx="4" fill={BRANDS[name].light.brand} />
                </svg>
                {NAMES[name]}
              </label>
            ))}
          </div>
          <p className="mt-2 text-small text-muted">Each can be read in the light and in the dark look.</p>
        </fieldset>
      </div>
    </Card>
  )
}

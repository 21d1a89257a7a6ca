import { ImagePlus } from 'lucide-react'
import { useId } from 'react'
import { MAX_IMAGE_BYTES } from '../../../../../shared/images.ts'
import { fitImage, IMAGE_TYPES } from '../../../../lib/fit-image.ts'
import { messageOf } from '../../../../lib/http.ts'
import { myShopTexts as texts } from '../../../../texts/my-shop.ts'
import { Button, buttonClass } from '../../../../ui/button.tsx'
import { classNames } from '../../../../ui/class-names.ts'
import { toast } from '../../../../ui/toast.ts'
import { useChangeLogo } from './api.ts'

/** A picture of any size, made small here; saved as soon as it is chosen. */
export function LogoField({ logo }: { logo: string | null }) {
  const id = useId()
  const change = useChangeLogo()
  const save = async (image: string | null, done: readonly (string | null)[]) => {
    try {
      await change.mutateAsync(image)
      toast.success(done.filter(Boolean).join(' '))
    } catch (error) {
      toast.danger(messageOf(error))
    }
  }
  const choose = async (input: HTMLInputElement) => {
    const file = input.files?.[0]
    input.value = ''
    if (!file) return
    const fitted = await fitImage(file, MAX_IMAGE_BYTES).catch(() => null)
    if (fitted) await save(fitted.uri, [texts.logoSaved, fitted.news])
    else toast.danger(texts.notAnImage)
  }
  return (
    <div className="flex flex-wrap gap-2">
      <label htmlFor={id} className={classNames(buttonClass('secondary'), 'cursor-pointer has-focus-visible:outline-3')}>
        <ImagePlus className="size-4.5" aria-hidden="true" />
        {texts.chooseLogo}
        <input
          id={id}
          type="file"
          accept={IMAGE_TYPES.join(',')}
          disabled={change.isPending}
          className="sr-only"
          onChange={(event) => void choose(event.currentTarget)}
        />
      </label>
      {logo && (
        <Button variant="quiet" busy={change.isPending} onClick={() => void save(null, [texts.logoRemoved])}>
          {texts.removeLogo}
        </Button>
      )}
    </div>
  )
}

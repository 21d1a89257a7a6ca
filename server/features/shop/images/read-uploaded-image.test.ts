import { expect, test } from 'vitest'
import { readUploadedImage } from './read-uploaded-image.ts'

test('pictures are decoded one after the other, fifty at most wait, and one that is none keeps no place', async () => {
  let running = 0
  let most = 0
  const encode = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 1))
    running -= 1
    return { hash: '', contentType: 'image/webp' as const, bytes: Buffer.alloc(0) }
  }
  const replies = await Promise.allSettled(Array.from({ length: 60 }, () => readUploadedImage('data:,', encode)))
  expect([most, replies.filter(({ status }) => status === 'fulfilled').length]).toEqual([1, 50])
  await expect(readUploadedImage('data:image/png;base64,bm8=')).rejects.toMatchObject({ issues: [{ path: 'image' }] })
  await expect(readUploadedImage('data:,', encode)).resolves.toBeDefined()
})

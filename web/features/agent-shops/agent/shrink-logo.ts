const SIDE = 256

/** The middle of a picture as a small square on white, as a data address. @throws when the browser cannot read it. */
export async function shrinkLogo(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file)
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, SIDE, SIDE)
  const side = Math.min(picture.width, picture.height)
  pen.drawImage(picture, (picture.width - side) / 2, (picture.height - side) / 2, side, side, 0, 0, SIDE, SIDE)
  picture.close()
  return canvas.toDataURL('image/jpeg', 0.88)
}

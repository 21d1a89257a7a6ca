/** What drawings and pictures need of Chrome 99, Firefox 112 and Safari 16. */
export function drawAsToday() {
  for (const { prototype } of [CanvasRenderingContext2D, Path2D]) {
    prototype.roundRect ??= function (this: CanvasPath, x, y, width, height, radii = 0) {
      const radius = Math.min(Number(radii), width / 2, height / 2)
      this.moveTo(x + radius, y)
      this.arcTo(x + width, y, x + width, y + height, radius)
      this.arcTo(x + width, y + height, x, y + height, radius)
      this.arcTo(x, y + height, x, y, radius)
      this.arcTo(x, y, x + width, y, radius)
      this.closePath()
    }
  }
  Object.assign(window, { createImageBitmap: window.createImageBitmap ?? readPicture })
}

async function readPicture(file: Blob) {
  const picture = new Image()
  picture.src = URL.createObjectURL(file)
  await picture.decode()
  return Object.assign(picture, { close: () => URL.revokeObjectURL(picture.src) })
}

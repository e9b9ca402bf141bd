/** Pixels: what a list shows, on a dense screen. */
const WIDTH = 176;
const HEIGHT = 132;

/**
 * A picture in its whole width, from its top, small. Rejects for what the browser cannot draw.
 * @param picture its file, which is decoded beside the page, or the address of one that is shown
 */
export async function thumbnailOf(picture: Blob | string): Promise<Blob> {
  const drawable = typeof picture === 'string' ? await imageAt(picture) : await createImageBitmap(picture);
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no canvas');
  const height = drawable.height * (WIDTH / drawable.width);
  // The engine reads transparent pixels as paper.
  context.fillStyle = 'white';
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.drawImage(drawable, 0, Math.max(0, (HEIGHT - height) / 2), WIDTH, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (drawn) => (drawn ? resolve(drawn) : reject(new Error('The picture could not be drawn small'))),
      'image/webp',
      0.8,
    );
  });
}

async function imageAt(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

/** Size in pixels: twice the CSS size in the list, for high-density screens. */
const WIDTH = 176;
const HEIGHT = 132;

/**
 * A thumbnail of the picture's top in its full width. Rejects if the browser cannot decode the picture.
 * @param picture its file, which is decoded off the main thread, or the URL of a shown image
 */
export async function thumbnailOf(picture: Blob | string): Promise<Blob> {
  const drawable = typeof picture === 'string' ? await imageAt(picture) : await createImageBitmap(picture);
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no canvas');
  const height = drawable.height * (WIDTH / drawable.width);
  // Transparent pixels are white, as they are for the recognizer.
  context.fillStyle = 'white';
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.drawImage(drawable, 0, Math.max(0, (HEIGHT - height) / 2), WIDTH, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (drawn) => (drawn ? resolve(drawn) : reject(new Error('The thumbnail could not be created'))),
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

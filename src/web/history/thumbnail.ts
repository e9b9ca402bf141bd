/** Pixels: what a list shows, on a dense screen. */
const WIDTH = 176;
const HEIGHT = 132;

/** A picture in its whole width, from its top, small. Rejects for what the browser cannot draw. */
export async function thumbnailOf(url: string): Promise<Blob> {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws nothing');
  const height = picture.naturalHeight * (WIDTH / picture.naturalWidth);
  // The engine reads transparent pixels as paper.
  context.fillStyle = 'white';
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.drawImage(picture, 0, Math.max(0, (HEIGHT - height) / 2), WIDTH, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (drawn) => (drawn ? resolve(drawn) : reject(new Error('The picture could not be drawn small'))),
      'image/webp',
      0.8,
    );
  });
}

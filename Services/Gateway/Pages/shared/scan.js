// Reads a code with the camera, where the browser can.
import { el, say } from "./dom.js";
import { sheet } from "./sheet.js";
import { t } from "./text.js";

/** Between two looks at the picture. */
const lookMilliseconds = 150;

/** Whether this browser finds codes in pictures, and may ask for a camera. */
export async function canScan() {
  if (!("BarcodeDetector" in window) || !navigator.mediaDevices) return false;
  return (await BarcodeDetector.getSupportedFormats()).includes("qr_code");
}

/** Opens the camera in a sheet; resolves to the text of the first code, or undefined where it was left. */
export async function scan({ signal } = {}) {
  const detector = new BarcodeDetector({ formats: ["qr_code"] });
  const video = el("video", { class: "camera", autoplay: true, playsinline: true, muted: true, "aria-label": t("code.camera") });
  const problem = el("p", { class: "problem", role: "alert" });
  let camera;
  let timer;
  const found = await sheet(t("code.camera"), (close) => {
    navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } }).then((stream) => {
      camera = stream;
      video.srcObject = stream;
      timer = setInterval(async () => {
        if (video.readyState < video.HAVE_CURRENT_DATA) return;
        const [code] = await detector.detect(video);
        if (code) close(code.rawValue);
      }, lookMilliseconds);
    }, () => say(problem, t("camera.none")));
    return [video, problem];
  }, { signal });
  clearInterval(timer);
  camera?.getTracks().forEach((track) => track.stop());
  return found;
}

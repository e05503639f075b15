// Words of the diagnosis page.
fixbook.define("words", function () {
  "use strict";

  const WORDS = {
    en: {
      specific: "Specific",
      possible: "Possible cause",
      entry: "This is",
      symptom: "Several causes share this message",
      unknown: "Not recognised",
      unknownText: "No signature of the book matches this log.",
      secondary:
        "This message only notices a failure; its cause is not in this log. Look at what other ranks, or earlier lines, printed before it.",
      consequence: "a consequence, not a cause",
      where: ({ source, line, rank }) =>
        [source, "line " + line, rank === null ? "" : "rank " + rank].filter(Boolean).join(", "),
      ranks: (ranks) => "seen on ranks " + ranks,
      fix: "Fix now",
      more: "Read the whole entry",
      ask: "Which of them is it?",
      also: "Also recognised",
      errors: "Errors in this log",
      unrecognised: "Also in this log, not recognised",
      guesses: "A guess, by words alone",
      report: "Report a log that was not recognised",
      reportWrong: "Wrong answer? Report it",
      reportText:
        "Paths, host names, addresses, user names and tokens were replaced. Read it, correct it, then copy it. Nothing is sent.",
      reportLabel: "Report, redacted",
      copy: "Copy",
      copied: "Copied",
      lines: (lines) => lines.toLocaleString("en") + (lines === 1 ? " line read" : " lines read"),
      reading: "Reading",
      cancel: "Cancel",
      cancelled: "Cancelled.",
      empty: "Nothing to read: paste a log or choose a file.",
      failed: "This did not work: ",
      partly: (name) => (name || "The log") + " breaks off; what could be read was read.",
      zstd: (name) => name + " is compressed with zstd, which browsers cannot read. Unpack it, or use “fixbook diagnose”.",
      context: "The line that decided, in its context",
      colon: ": ",
    },
    zh: {
      specific: "明确",
      possible: "可能的原因",
      entry: "这是",
      symptom: "这条报错有好几种原因",
      unknown: "未能识别",
      unknownText: "手册里没有任何特征匹配这份日志。",
      secondary: "这条信息只是发现了故障，原因不在这份日志里。请看其他 rank、或更早的几行打印了什么。",
      consequence: "是后果，不是原因",
      where: ({ source, line, rank }) =>
        [source, "第 " + line + " 行", rank === null ? "" : "rank " + rank].filter(Boolean).join("，"),
      ranks: (ranks) => "出现在 rank " + ranks,
      fix: "先这样修",
      more: "看完整条目",
      ask: "是哪一种？",
      also: "还识别到",
      errors: "日志里的报错",
      unrecognised: "日志里还有未识别的报错",
      guesses: "仅按用词猜测",
      report: "报告一份未能识别的日志",
      reportWrong: "答案不对？报告它",
      reportText: "路径、主机名、地址、用户名和令牌已被替换。请先读一遍、改好，再复制。这里不会发送任何东西。",
      reportLabel: "报告（已脱敏）",
      copy: "复制",
      copied: "已复制",
      lines: (lines) => "读了 " + lines.toLocaleString("zh") + " 行",
      reading: "正在读取",
      cancel: "取消",
      cancelled: "已取消。",
      empty: "没有可读的内容：请粘贴日志或选择文件。",
      failed: "没有成功：",
      partly: (name) => (name || "日志") + " 中途断开，能读到的部分已读。",
      zstd: (name) => name + " 是 zstd 压缩的，浏览器读不了。请先解压，或使用 fixbook diagnose。",
      context: "决定答案的那一行及其上下文",
      colon: "：",
    },
  };

  /** @param {string} lang */
  return { wordsOf: (lang) => WORDS[lang] || WORDS.en };
});

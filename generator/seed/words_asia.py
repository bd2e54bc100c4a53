"""Chinese and Japanese words for seed values, by meaning, and names of people with their Latin spelling; what is
missing is taken in English.

The lines are written as in `words_en`, but parts are joined without a space. Names: family and given, each
`script:latin`.

Invariant: a meaning has several values, so that rows differ. Not covered: which language a world is in (`language`).
"""

# ruff: noqa: E501
from __future__ import annotations

__all__ = ["ASIA", "ASIAN_NAMES"]

ASIA: dict[str, dict[str, str]] = {
    "zh": {
        "product_name": "轻便|折叠|经典|高级 + 台灯|办公椅|旅行包|保温杯|蓝牙音箱|咖啡机",
        "category": "电子产品|家居|园艺|运动|服装|玩具|图书|健康|旅行|办公",
        "task_title": "准备|检查|发送|更新 + 季度报告|预算表|项目计划|合同|价格表",
        "ticket_title": "无法登录|出现错误|页面空白|响应很慢，发生在 + 更新之后|手机应用|今天早上|客户门户",
        "label": "旅行|家庭|夏季|办公|花园|健康|音乐|厨房|运动|档案",
        "title": "夏季|冬季|年度|最新 + 指南|报告|合集|计划",
        "sentence": "结实耐用，容易清洁。|很受家庭欢迎。|包含入门所需的一切。|需要先与供应商确认。",
        "message": "会议可以改到周四吗？|包裹今天早上到了，谢谢。|请发给我最新的价格表。|报告已经完成。",
        "note": "请通过邮件联系。|送货前请打电话。|已预付。|老客户。", "comment": "我觉得可以。|已经补充了数据。|现在正常了，谢谢。",
        "reason": "计划有变|误下订单|生病|客户要求", "status": "进行中|待处理|已完成|已取消", "priority": "低|中|高|紧急", "gender": "女|男", "department": "销售部|财务部|人事部|物流部|客服部",
    },
    "ja": {
        "product_name": "軽量|折りたたみ|定番の|高級 + デスクライト|椅子|リュック|水筒|スピーカー|コーヒーミル",
        "category": "家電|家具|園芸|スポーツ|衣類|玩具|本|健康|旅行|文具",
        "task_title": "四半期報告書|予算表|企画書|契約書|価格表 + を準備する|を確認する|を送る|を更新する",
        "ticket_title": "更新後に|アプリで|今朝から|顧客ページで + ログインできない|エラーが出る|画面が真っ白になる|反応が遅い",
        "label": "旅行|家族|夏|仕事|庭|健康|音楽|台所|運動|資料",
        "title": "夏の|冬の|年間|最新 + 案内|報告|特集|計画",
        "sentence": "丈夫で手入れが簡単です。|家族に人気があります。|必要なものがすべて入っています。|仕入先への確認が必要です。",
        "message": "会議を木曜日に変更できますか。|荷物は今朝届きました。ありがとうございます。|最新の価格表を送ってください。|報告書ができました。",
        "note": "連絡はメールを希望。|配達前に電話してください。|前払い済み。|常連のお客様。", "comment": "問題ありません。|数字を追加しました。|直りました。ありがとうございます。",
        "reason": "予定の変更|誤って注文|病気|お客様の希望", "status": "対応中|保留|完了|取消", "priority": "低|中|高|至急", "gender": "女性|男性", "department": "営業部|経理部|人事部|物流部|サポート部",
    },
}  # fmt: skip
"""By ISO 639-1 code."""

ASIAN_NAMES: dict[str, tuple[str, str]] = {
    "zh": (
        "王:wang|李:li|张:zhang|刘:liu|陈:chen|杨:yang|赵:zhao|黄:huang|周:zhou|吴:wu|徐:xu|孙:sun",
        "伟:wei|芳:fang|秀英:xiuying|敏:min|静:jing|强:qiang|磊:lei|洋:yang|艳:yan|杰:jie|婷:ting|浩:hao|雪:xue|明:ming",
    ),
    "ja": (
        "佐藤:sato|鈴木:suzuki|高橋:takahashi|田中:tanaka|伊藤:ito|渡辺:watanabe|山本:yamamoto|中村:nakamura|小林:kobayashi|加藤:kato",
        "翔太:shota|陽菜:hina|大輔:daisuke|美咲:misaki|健太:kenta|さくら:sakura|直樹:naoki|由美:yumi|拓海:takumi|恵子:keiko|亮:ryo|愛:ai",
    ),
}  # fmt: skip
